import { readArguments, usage } from './arguments.ts';
import { liveClock } from './clock.ts';
import { playScenario } from './scenarios.ts';

const exitUsage = 64;

const read = readArguments(process.argv.slice(2));
if (!read.ok) {
  console.error(`${read.error}\nnpm run sim -- --help lists the scenarios and options`);
  process.exitCode = exitUsage;
} else if (read.value === 'help') {
  console.log(usage);
} else {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const outcome = await playScenario(read.value, {
    clock: liveClock(),
    say: (line) => console.log(line),
    signal: interrupted.signal,
  });
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  if (outcome.ok) console.log(outcome.value);
  else console.error(outcome.error);
  process.exitCode = outcome.ok ? 0 : 1;
}
