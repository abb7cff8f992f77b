import { pino } from 'pino';
import type { Context } from './context.ts';

/** The server's log on stdout. What there is to say before `begin` goes to stderr: stdout begins with the address. */
export function openLog(): { log: Context['log']; begin(): void } {
  const before = pino.destination(2);
  const after = pino.destination(1);
  let begun = false;
  const stream = { write: (line: string) => (begun ? after : before).write(line) };
  const log = pino({ level: 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    log,
    begin() {
      begun = true;
    },
  };
}
