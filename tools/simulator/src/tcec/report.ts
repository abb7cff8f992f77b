import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import type { PartnerProfile } from '@voltdeck/tcec102/profile';
import { shanghaiDateTime } from '@voltdeck/units/instant';
import type { Bench } from './bench.ts';
import type { BenchLanguage } from './bench-settings.ts';
import { durationOf, partOf, reasonOf, type Say, sayIn } from './bench-words.ts';
import { type CheckResult, countOf } from './checklist.ts';
import type { Exchange } from './exchanges.ts';

/** What stands at the head of a report: each fact with its name. */
export function headOf({ settings, url, startedAt }: Bench, say: Say): readonly (readonly [string, string])[] {
  return [
    [say('tcec-report.at'), shanghaiDateTime(startedAt)],
    [say('tcec-report.roles'), say(`tcec-role.${settings.role}`)],
    [say('tcec-report.bench'), settings.operatorId],
    [say('tcec-report.tested'), settings.theirOperatorId],
    [say('tcec-report.benchUrl'), url],
    [say('tcec-report.url'), settings.url],
    [say('tcec-report.ourKeys'), maskedKeys(settings.ourKeys)],
    [say('tcec-report.theirKeys'), maskedKeys(settings.theirKeys)],
    [say('tcec-report.profile'), factsOf(settings.profile)],
  ];
}

function factsOf(profile: PartnerProfile): string {
  return Object.entries(profile)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

/** Enough of each secret for two people to see that they mean the same one. */
function maskedKeys(keys: PartnerKeys): string {
  return Object.values(keys).map(masked).join(' ');
}

function masked(secret: string): string {
  return secret.length < 8 ? '••••' : `${secret.slice(0, 2)}••••${secret.slice(-2)}`;
}

export function countsOf(results: readonly CheckResult[], say: Say): string {
  const [passed, failed] = [countOf(results, 'passed'), countOf(results, 'failed')];
  return say('tcec-report.counts', { passed, failed, notRun: results.length - passed - failed });
}

export function directionOf({ direction }: Exchange, say: Say): string {
  return say(`tcec-report.${direction}`);
}

/** "Ret 0, HTTP 200, cut-in-answer". */
export function outcomeOf({ ret, httpStatus, remark }: Exchange): string {
  return [
    ret === null ? '' : `Ret ${ret}`,
    httpStatus === null || httpStatus === 200 ? '' : `HTTP ${httpStatus}`,
    remark,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The report as Markdown, to be kept beside the contract. */
export function markdownReport(bench: Bench, language: BenchLanguage): string {
  const say = sayIn(language);
  const { results } = bench.checklist;
  const { operatorId, theirOperatorId } = bench.settings;
  return [
    `# ${say('tcec-report.title')}`,
    '',
    '| | |',
    '| --- | --- |',
    ...headOf(bench, say).map(([name, value]) => `| ${name} | ${cell(value)} |`),
    `| ${say('tcec-report.result')} | ${countsOf(results, say)} |`,
    ...results.flatMap((result, index) => [
      ...(partOf(results[index - 1]?.id ?? result.id) === partOf(result.id) && index > 0
        ? []
        : [
            '',
            `## ${say(`tcec-part.${partOf(result.id)}`)}`,
            '',
            `| ${say('tcec-report.check')} | ${say('tcec-report.result')} | ${say('tcec-report.took')} | |`,
            '| --- | --- | --- | --- |',
          ]),
      `| ${say(`tcec-check.${result.id}`)} | ${say(`tcec-verdict.${result.verdict.kind}`)} | ${durationOf(result.tookMs)} | ${cell(reasonOf(result, say))} |`,
    ]),
    '',
    `## ${say('tcec-report.exchanges')}`,
    ...results
      .filter(({ exchanges }) => exchanges.length > 0)
      .flatMap((result) => [
        '',
        `### ${say(`tcec-check.${result.id}`)}`,
        ...result.exchanges.flatMap((exchange) => [
          '',
          `${exchange.number}. ${shanghaiDateTime(exchange.at)} ${directionOf(exchange, say)} \`${exchange.interfaceName}\` ${outcomeOf(exchange)} (${exchange.tookMs} ms)`,
          '',
          ...fenced(exchange.request),
          ...fenced(exchange.answer === '' ? say('tcec-report.noAnswer') : exchange.answer),
        ]),
      ]),
    '',
    `## ${say('tcec-report.signatures')}`,
    '',
    `- ${say('tcec-report.signature', { operator: operatorId })}: ____________________`,
    `- ${say('tcec-report.signature', { operator: theirOperatorId })}: ____________________`,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

/** A fence longer than any run of backticks within. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}json`, text, fence, ''];
}

/** The report for another program. */
export function jsonReport({ settings, url, startedAt, checklist }: Bench): string {
  const { role, operatorId, theirOperatorId, profile } = settings;
  const report = {
    at: shanghaiDateTime(startedAt),
    role,
    operatorId,
    theirOperatorId,
    benchUrl: url,
    url: settings.url,
    profile,
    checks: checklist.results.map(({ id, verdict, at, tookMs, exchanges }) => ({
      id,
      verdict,
      at: at === null ? null : shanghaiDateTime(at),
      tookMs,
      exchanges: exchanges.map((exchange) => ({ ...exchange, at: shanghaiDateTime(exchange.at) })),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
