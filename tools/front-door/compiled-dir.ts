import { join } from 'node:path';
import { root } from './terminal.mjs';

/**
 * Where Node keeps what it compiled (and stripped of types) of the server for its next start, which is then a third
 * quicker and some 13 MB smaller. Where it cannot be written, Node goes on without.
 */
export const compiledDir: string = join(root, '.cache', 'compiled');
