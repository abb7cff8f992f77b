import { createHash } from 'node:crypto';
import { shanghaiDateTime } from '@voltdeck/units/instant';
import type { Bench } from './bench.ts';
import type { BenchLanguage } from './bench-settings.ts';
import { durationOf, partOf, reasonOf, type Say, sayIn } from './bench-words.ts';
import type { CheckResult } from './checklist.ts';
import type { Exchange } from './exchanges.ts';
import { countsOf, directionOf, headOf, outcomeOf } from './report.ts';

const pollMs = 1_000;

const style = `
:root { color-scheme: light dark; --ink: #1d2433; --faint: #5b6477; --line: #dfe3ec; --ground: #f5f7fb; --paper: #fff;
  --accent: #3f5fd9; --passed: #1d7a46; --failed: #b3261e; --code: #f0f2f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaf2; --faint: #a3abbd; --line: #333a49; --ground: #12161f;
  --paper: #1a1f2b; --accent: #8ea6ff; --passed: #62c88f; --failed: #ff8a80; --code: #232938; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; }
h1 { font-size: 22px; margin: 0; } h2 { font-size: 16px; margin: 28px 0 8px; }
nav { display: flex; gap: 12px; align-items: center; }
a { color: var(--accent); }
button { font: inherit; color: var(--accent); background: none; border: 1px solid currentColor; border-radius: 6px;
  min-height: 32px; padding: 2px 12px; cursor: pointer; }
button:disabled { color: var(--faint); cursor: default; }
nav button { min-height: 40px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0 0; padding: 16px;
  background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.checks { list-style: none; margin: 0; padding: 0; background: var(--paper); border: 1px solid var(--line);
  border-radius: 10px; }
.checks > li { padding: 10px 16px; border-top: 1px solid var(--line); }
.checks > li:first-child { border-top: 0; }
.row { display: grid; grid-template-columns: 5.5em 1fr 5em auto; gap: 4px 12px; align-items: center; }
.verdict { font-weight: 600; color: var(--faint); } .passed { color: var(--passed); } .failed { color: var(--failed); }
.running { color: var(--accent); }
.took { color: var(--faint); text-align: right; font-variant-numeric: tabular-nums; }
.reason { margin: 4px 0 0; overflow-wrap: anywhere; color: var(--faint); } .reason.failed { color: var(--failed); }
details { margin-top: 6px; } summary { cursor: pointer; color: var(--faint); }
.exchange { margin: 10px 0 0; padding-top: 8px; border-top: 1px dashed var(--line); }
.exchange p { margin: 0 0 4px; overflow-wrap: anywhere; } .exchange p.label { color: var(--faint); margin-top: 6px; }
pre { margin: 0; padding: 8px 10px; background: var(--code); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, "SF Mono", Consolas, monospace; max-height: 24em; overflow: auto; }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 32px; margin-top: 48px; }
.sign p { border-top: 1px solid var(--ink); padding-top: 6px; margin: 0; }
@media (max-width: 600px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; }
  .row { grid-template-columns: auto 1fr auto; } .row .title { grid-column: 1 / -1; grid-row: 1; }
  .took { text-align: left; } .sign { grid-template-columns: 1fr; } button { min-height: 40px; } }
@media print { button, nav { display: none; } body { background: none; } pre { max-height: none; } }
`;

/** Replaces what changed, and leaves open what was open. Without it, the page works and is reloaded by hand. */
const script = `
const main = document.querySelector('main');
const refresh = async () => {
  try {
    const answer = await fetch('content' + location.search);
    const text = await answer.text();
    if (answer.ok && text !== refresh.last) {
      const open = new Set([...document.querySelectorAll('details[open]')].map(({ id }) => id));
      const focused = document.activeElement?.id;
      if (refresh.last !== undefined) main.innerHTML = text;
      refresh.last = text;
      for (const id of open) document.getElementById(id)?.setAttribute('open', '');
      if (focused) document.getElementById(focused)?.focus();
    }
  } catch {}
  setTimeout(refresh, ${pollMs});
};
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  await fetch(event.target.action, { method: 'POST' });
});
refresh();
`;

/** Nothing but the style and the script of this file, and no other address. */
export const pagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "connect-src 'self'",
  'img-src data:',
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(script)}'`,
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The live checklist: with buttons, and renewed every second. */
export function livePage(bench: Bench, language: BenchLanguage): string {
  return page(bench, language, { isLive: true });
}

/** The report as one HTML file, to be printed and signed. */
export function htmlReport(bench: Bench, language: BenchLanguage): string {
  return page(bench, language, { isLive: false });
}

function page(bench: Bench, language: BenchLanguage, { isLive }: { isLive: boolean }): string {
  const say = sayIn(language);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(say('tcec-report.title'))}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>${isLive ? pageContent(bench, language) : contentOf(bench, language, false)}</main>
${isLive ? `<script>${script}</script>` : ''}
</body>
</html>
`;
}

/** What changes of the live page. */
export function pageContent(bench: Bench, language: BenchLanguage): string {
  return contentOf(bench, language, true);
}

function contentOf(bench: Bench, language: BenchLanguage, isLive: boolean): string {
  const say = sayIn(language);
  const { results } = bench.checklist;
  const isBusy = results.some(({ verdict }) => verdict.kind === 'running');
  const other: BenchLanguage = language === 'en' ? 'zh-CN' : 'en';
  const parts = Map.groupBy(results, ({ id }) => partOf(id));
  const button = (id: string, label: string, about: string) =>
    `<form method="post" action="checks/${id}"><button id="run-${id}"${isBusy ? ' disabled' : ''} aria-label="${escaped(about)}">${escaped(label)}</button></form>`;
  const nav = `<nav><a href="?language=${other}" lang="${other}">${escaped(sayIn(other)('tcec-bench.thisLanguage'))}</a>${button('all', say('tcec-bench.runAll'), say('tcec-bench.runAll'))}</nav>`;
  return `
<header><h1>${escaped(say('tcec-report.title'))}</h1>${isLive ? nav : ''}</header>
<dl>${[...headOf(bench, say), [say('tcec-report.result'), countsOf(results, say)] as const]
    .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
    .join('')}</dl>
${[...parts]
  .map(
    ([part, checks]) =>
      `<section><h2>${escaped(say(`tcec-part.${part}`))}</h2><ul class="checks">${checks
        .map((result) =>
          checkItem(
            result,
            say,
            isLive
              ? button(result.id, say('tcec-bench.run'), `${say('tcec-bench.run')}: ${say(`tcec-check.${result.id}`)}`)
              : '',
          ),
        )
        .join('')}</ul></section>`,
  )
  .join('')}
${isLive ? '' : signatures(bench, say)}`;
}

function checkItem(result: CheckResult, say: Say, button: string): string {
  const { id, verdict, tookMs, exchanges } = result;
  const reason = reasonOf(result, say);
  return `<li><div class="row"><span class="verdict ${verdict.kind}">${escaped(say(`tcec-verdict.${verdict.kind}`))}</span>
<span class="title">${escaped(say(`tcec-check.${id}`))}</span><span class="took">${tookMs === 0 ? '' : durationOf(tookMs)}</span>${button}</div>
${reason === '' ? '' : `<p class="reason ${verdict.kind}">${escaped(reason)}</p>`}
${
  exchanges.length === 0
    ? ''
    : `<details id="of-${id}"><summary>${escaped(say('tcec-report.exchangesOf', { count: exchanges.length }))}</summary>${exchanges
        .map((exchange) => exchangeBlock(exchange, say))
        .join('')}</details>`
}</li>`;
}

function exchangeBlock(exchange: Exchange, say: Say): string {
  const { number, at, interfaceName, request, answer, tookMs } = exchange;
  const facts = [shanghaiDateTime(at), directionOf(exchange, say), outcomeOf(exchange), `${tookMs} ms`];
  return `<div class="exchange"><p>${number}. <strong>${escaped(interfaceName)}</strong> ${escaped(facts.filter((fact) => fact !== '').join(' · '))}</p>
<p class="label">${escaped(say('tcec-report.request'))}</p><pre tabindex="0">${escaped(readable(request))}</pre>
<p class="label">${escaped(say('tcec-report.answer'))}</p><pre tabindex="0">${escaped(answer === '' ? say('tcec-report.noAnswer') : readable(answer))}</pre></div>`;
}

/** JSON in lines; numbers stay as they were written, which parsing would lose. */
function readable(text: string): string {
  if (!/^[{[]/.test(text)) return text;
  let depth = 0;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth += 1;
        return `${token}\n${'  '.repeat(depth)}`;
      case '}':
      case ']':
        depth = Math.max(depth - 1, 0);
        return `\n${'  '.repeat(depth)}${token}`;
      case ',':
        return `,\n${'  '.repeat(depth)}`;
      case ':':
        return ': ';
      default:
        return token;
    }
  });
}

function signatures({ settings }: Bench, say: Say): string {
  const line = (operator: string) => `<p>${escaped(say('tcec-report.signature', { operator }))}</p>`;
  return `<section><h2>${escaped(say('tcec-report.signatures'))}</h2><div class="sign">${line(settings.operatorId)}${line(settings.theirOperatorId)}</div></section>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
