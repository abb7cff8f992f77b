import { pino } from 'pino';
import type { Context } from './context.ts';

/** The server's log on stdout. Messages before `begin` go to stderr, because stdout begins with the address. */
export function openLog(): { log: Context['log']; begin(): void } {
  const before = pino.destination(2);
  const after = pino.destination(1);
  let begun = false;
  return {
    log: logTo({ write: (line) => void (begun ? after : before).write(line) }),
    begin() {
      begun = true;
    },
  };
}

/** A server's log that another process writes; a line ends with its line break. */
export function logTo(stream: { write(line: string): void }): Context['log'] {
  return pino({ level: 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
