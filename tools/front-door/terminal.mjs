import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Prints a line for the user. @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Prints why it cannot go on, and exits. @param {string} text @returns {never} */
export function stopWith(text) {
  process.stderr.write(`${text.trimEnd()}\n`);
  process.exit(1);
}
