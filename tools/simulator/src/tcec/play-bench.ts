import { writeFile } from 'node:fs/promises';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Stage } from '../stage.ts';
import { type Bench, openBench } from './bench.ts';
import type { BenchArguments } from './bench-arguments.ts';
import { htmlReport } from './bench-page.ts';
import { durationOf, reasonOf, type Say, sayIn } from './bench-words.ts';
import type { CheckId } from './check.ts';
import { type CheckResult, countOf } from './checklist.ts';
import { countsOf, headOf, jsonReport, markdownReport } from './report.ts';
import { servePage } from './serve-page.ts';

/** Makes the checks of a role, or waits for the buttons of its page; writes the reports. A failed check is a failure. */
export async function playBench(chosen: BenchArguments, stage: Stage): Promise<Result<string, string>> {
  try {
    return await playOpened(await openBench(chosen.settings, stage.clock), chosen, stage);
  } catch (error) {
    // A port that is taken, or a folder that cannot be written: one line for whoever chose it.
    if (error instanceof Error && 'syscall' in error) return failed(error.message);
    throw error;
  }
}

async function playOpened(bench: Bench, chosen: BenchArguments, stage: Stage): Promise<Result<string, string>> {
  const say = sayIn(chosen.language);
  try {
    for (const [name, value] of headOf(bench, say)) stage.say(`${name}  ${value}`);
    stage.say(say('tcec-bench.listening', { url: bench.url }));
    const left = leftOut(bench, chosen);
    bench.checklist.leaveOut(left.unchosen, 'not-chosen');
    bench.checklist.leaveOut(left.slow, 'slow');
    if (chosen.pagePort === null) {
      const told = (result: CheckResult) => stage.say(lineOf(result, say));
      await bench.checklist.run(left.chosen, stage.signal, told);
    } else {
      const page = await servePage(bench, { port: chosen.pagePort, language: chosen.language, signal: stage.signal });
      stage.say(say('tcec-bench.page', { url: page.url }));
      await ended(stage.signal);
      await page.close();
    }
    for (const { file, form } of chosen.reports) {
      await writeFile(file, reportOf[form](bench, chosen.language));
      stage.say(say('tcec-bench.written', { file }));
    }
    const counts = countsOf(bench.checklist.results, say);
    return countOf(bench.checklist.results, 'failed') === 0 ? ok(counts) : failed(counts);
  } finally {
    await bench.close();
  }
}

const reportOf = { '.md': markdownReport, '.json': jsonReport, '.html': htmlReport } as const;

function leftOut({ checklist }: Bench, { only, isSlowToo }: BenchArguments) {
  const isChosen = (id: CheckId) => only.length === 0 || only.some((beginning) => id.startsWith(beginning));
  const chosen = checklist.results.filter(({ id }) => isChosen(id));
  const isMade = ({ isSlow, id }: CheckResult) => !isSlow || isSlowToo || only.some((name) => name === id);
  return {
    unchosen: checklist.results.filter(({ id }) => !isChosen(id)).map(({ id }) => id),
    slow: chosen.filter((result) => !isMade(result)).map(({ id }) => id),
    chosen: chosen.filter(isMade).map(({ id }) => id),
  };
}

/** "Passed    0.1 s  charge.start          query_start_charge accepts a charge". */
function lineOf(result: CheckResult, say: Say): string {
  const reason = reasonOf(result, say);
  const columns = [
    padded(say(`tcec-verdict.${result.verdict.kind}`), 8),
    durationOf(result.tookMs).padStart(7),
    result.id.padEnd(30),
    say(`tcec-check.${result.id}`),
  ];
  return `${columns.join('  ')}${reason === '' ? '' : ` – ${reason}`}`;
}

/** Chinese characters are two columns wide. */
function padded(text: string, columns: number): string {
  const width = [...text].reduce((so, character) => so + (character > '\u2e7f' ? 2 : 1), 0);
  return `${text}${' '.repeat(Math.max(0, columns - width))}`;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
