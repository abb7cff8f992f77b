import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './bench.ts';
import { htmlReport } from './bench-page.ts';
import { jsonReport, markdownReport } from './report.ts';
import { demandKeys, openBothBenches, operatorKeys, verdictsOf } from './test-benches.ts';

let benches: { operator: Bench; demand: Bench; close(): Promise<void> };
beforeAll(async () => {
  benches = await openBothBenches();
  const made = ['token.given', 'token.wrong-secret', 'stations.all', 'charge.stop', 'envelope.wrong-signature'];
  await verdictsOf(benches.demand, ({ id }) => made.includes(id));
});
afterAll(() => benches.close());

const reports: [string, () => string][] = [
  ['Markdown', () => markdownReport(benches.demand, 'en')],
  ['JSON', () => jsonReport(benches.demand)],
  ['HTML', () => htmlReport(benches.demand, 'zh-CN')],
];

describe('a report', () => {
  test.each(reports)('in %s names both sides, and has every exchange decrypted', (_, report) => {
    const text = report();
    const { operatorId, theirOperatorId } = benches.demand.settings;
    for (const part of [operatorId, theirOperatorId, 'query_stations_info', 'BENCH001', '4001']) {
      expect(text).toContain(part);
    }
  });

  test.each(reports)('in %s has no secret and no token in it', (_, report) => {
    const text = report();
    const secrets = [operatorKeys, demandKeys].flatMap((keys) => Object.values(keys));
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).toMatch(/OperatorSecret(?:\\"|"|&quot;): ?(?:\\"|"|&quot;)\*\*\*/);
    expect(text).toMatch(/AccessToken(?:\\"|"|&quot;): ?(?:\\"|"|&quot;)\*\*\*/);
  });

  test('in Markdown says what was passed, what was not made and why, and has a line to sign for each side', () => {
    const text = markdownReport(benches.demand, 'en');
    expect(text).toMatch(/\| Wrong signature: Ret 4001 \| Passed \|/);
    expect(text).toMatch(/\| query_stop_charge accepts the stop \| Not run \| .* \| No charge was started \|/);
    expect(text).toContain('4 passed, 0 failed,');
    expect(text).toContain('MA0BENCHD: name and date: ____');
    expect(text).toContain('MA0BENCHO: name and date: ____');
  });

  test('in HTML is one file that loads nothing from elsewhere, in the language that was asked for', () => {
    const html = htmlReport(benches.demand, 'zh-CN');
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toContain('签名错误：Ret 4001');
    expect(html).not.toMatch(/<(?:script|img|iframe)|src=|href="https?:|url\(/);
  });
});
