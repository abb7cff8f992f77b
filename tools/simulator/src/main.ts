import type { Result } from '@voltdeck/units/result';
import { readArguments, usage } from './arguments.ts';
import { liveClock } from './clock.ts';
import { playScenario } from './scenarios.ts';
import type { Stage } from './stage.ts';
import { benchUsage, readBenchArguments } from './tcec/bench-arguments.ts';
import { playBench } from './tcec/play-bench.ts';

const exitUsage = 64;

const [first = '', ...others] = process.argv.slice(2);
if (first === 'tcec') {
  await play(
    readBenchArguments(others),
    { text: benchUsage, hint: 'npm run sim -- tcec --help lists the options' },
    playBench,
  );
} else {
  const hint = 'npm run sim -- --help lists the scenarios and options';
  await play(readArguments(process.argv.slice(2)), { text: usage, hint }, playScenario);
}

async function play<Chosen>(
  read: Result<Chosen | 'help', string>,
  help: { text: string; hint: string },
  playChosen: (chosen: Chosen, stage: Stage) => Promise<Result<string, string>>,
): Promise<void> {
  if (!read.ok) {
    console.error(`${read.error}\n${help.hint}`);
    process.exitCode = exitUsage;
    return;
  }
  if (read.value === 'help') return console.log(help.text);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const outcome = await playChosen(read.value, {
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
