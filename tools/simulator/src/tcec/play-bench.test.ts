import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secondMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveClock } from '../clock.ts';
import type { Bench } from './bench.ts';
import type { BenchArguments } from './bench-arguments.ts';
import { playBench } from './play-bench.ts';
import { openBothBenches } from './test-benches.ts';

let folder: string;
let benches: { operator: Bench; demand: Bench; close(): Promise<void> };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'));
  benches = await openBothBenches();
});
afterAll(async () => {
  await benches.close();
  await rm(folder, { recursive: true, force: true });
});

let plays = 0;

/** A demand side against the operator's bench; in another second each time, since Seq counts within one. */
async function play(chosen: Partial<BenchArguments>) {
  const said: string[] = [];
  plays += 1;
  const clock = liveClock({ startAt: Date.now() + plays * secondMs });
  const stage = {
    clock,
    say: (line: string) => void said.push(line),
    signal: AbortSignal.timeout(20_000),
  };
  const usual: BenchArguments = {
    settings: benches.demand.settings,
    language: 'en',
    reports: [],
    pagePort: null,
    isSlowToo: false,
    only: ['token'],
  };
  return { outcome: await playBench({ ...usual, ...chosen }, stage), said };
}

test('the chosen checks are made, told line by line, and written into every report', async () => {
  const files = (['.md', '.json', '.html'] as const).map((form) => ({ file: join(folder, `report${form}`), form }));
  const { outcome, said } = await play({ reports: files });
  expect(outcome).toEqual({ ok: true, value: expect.stringMatching(/^4 passed, 0 failed, \d+ not run$/) });
  expect(said).toContainEqual(expect.stringMatching(/^Passed +\d+ ms {2}token\.given +query_token gives a token/));
  for (const { file } of files) expect(await readFile(file, 'utf8')).toContain('MA0BENCHO');
  const json = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(json.checks.find(({ id }: { id: string }) => id === 'charge.start').verdict).toEqual({
    kind: 'not-run',
    because: 'not-chosen',
  });
});

test('checks that take minutes are left out until they are asked for by name', async () => {
  const { said } = await play({ only: ['order'] });
  expect(said).not.toContainEqual(expect.stringContaining('order.again-after-500'));
  const named = await play({ only: ['envelope.expired-token'] });
  expect(named.said).toContainEqual(expect.stringMatching(/envelope\.expired-token .* – The token lasts longer/));
});

test('a failed check is a failure, and says what was expected and what came', async () => {
  const { theirKeys } = benches.demand.settings;
  const settings = { ...benches.demand.settings, theirKeys: { ...theirKeys, operatorSecret: 'another' } };
  const { outcome, said } = await play({ settings, only: ['token.given'] });
  expect(outcome).toEqual({ ok: false, error: expect.stringMatching(/^0 passed, 1 failed,/) });
  expect(said).toContainEqual(expect.stringContaining('– Expected SuccStat 0, got SuccStat 1, FailReason 2'));
});

test('a port that is taken is one line', async () => {
  const port = Number(new URL(benches.operator.url).port);
  const { outcome } = await play({ settings: { ...benches.demand.settings, port } });
  expect(outcome).toEqual({ ok: false, error: expect.stringContaining('EADDRINUSE') });
});
