import type { Language } from '@voltdeck/contract/languages';
import type { Route } from '@voltdeck/contract/route';
import * as z from 'zod/mini';
import { permissionText } from './open-api.ts';
import { say } from './say.ts';

/** The API description as plain HTML, without scripts or external resources. */
export function apiPage(routes: ReadonlyMap<string, Route>, language: Language): string {
  const slices = Map.groupBy(routes.values(), (route) => route.path.split('/')[1] ?? '');
  const sections = [...slices]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([slice, own]) => `<section id="${text(slice)}"><h2>${text(slice)}</h2>${own.map(article).join('')}</section>`,
    );
  const links = [...slices.keys()].sort().map((slice) => `<a href="#${text(slice)}">${text(slice)}</a>`);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(say(language, 'apiDocs.title'))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text(say(language, 'apiDocs.title'))}</h1>
<p>${text(say(language, 'apiDocs.introduction'))}</p>
<p><a href="/api/openapi.json">openapi.json</a></p>
<nav>${links.join(' ')}</nav>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function article(route: Route): string {
  const parts = [
    ['query', route.query],
    ['body', route.body],
    ['data', route.answerKind === undefined || route.answerKind === 'envelope' ? route.answer : undefined],
  ] as const;
  const details = parts.map(([label, schema]) => (schema === undefined ? '' : described(label, schema)));
  return `<article>
<h3><b class="${route.method.toLowerCase()}">${route.method}</b> <code>/api${text(route.path)}</code></h3>
<p>${text(route.summary)} <small>${text(permissionText(route))}</small></p>
${details.join('')}
${route.errors.length === 0 ? '' : `<p class="errors">${route.errors.map((code) => `<code>${text(code)}</code>`).join(' ')}</p>`}
</article>`;
}

function described(label: 'query' | 'body' | 'data', schema: z.ZodMiniType): string {
  const io = label === 'data' ? 'output' : 'input';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { unrepresentable: 'any', io }) as Record<string, unknown>;
  return `<details><summary>${label}</summary><pre>${text(shape(json, ''))}</pre></details>`;
}

/** A schema in shorthand: "name: text", "?" for optional fields. */
function shape(schema: Record<string, unknown>, indent: string): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const members = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(members)) return members.map((member) => shape(member, indent)).join(' | ');
  if (typeof schema.properties === 'object' && schema.properties !== null) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const lines = Object.entries(schema.properties).map(
      ([name, property]) =>
        `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${shape(property, `${indent}  `)}`,
    );
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (schema.type === 'array') return `[${shape((schema.items ?? {}) as Record<string, unknown>, indent)}]`;
  if (schema.type === undefined) return 'any';
  return Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type);
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #3f5be0; }
@media (prefers-color-scheme: dark) { :root { --accent: #9db0ff; } }
body { margin: 0; font: 15px/1.6 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-block: 1px solid var(--line); }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 500; }
h3 b { display: inline-block; min-width: 4.5rem; font-size: .8rem; color: var(--accent); }
article { padding: .75rem 0; border-top: 1px solid var(--line); }
article p { margin: .25rem 0; }
small, .errors { opacity: .75; font-size: .85em; }
code, pre { font: 13px/1.5 ui-monospace, "Noto Sans Mono CJK SC", monospace; }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); }
`;
