import { Visitor } from 'oxc-parser';
import { lineOf, type Repository, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

const screensFile = 'packages/contract/src/screens.ts';
const screenFiles: readonly string[] = [screensFile, 'packages/contract/src/outer-screens.ts'];

export const screensByValue: Rule = {
  name: 'the console links its screens by their value, never by an address of its own',
  check(repository) {
    const paths = screenPathsIn(repository);
    if (paths.size === 0) return [{ path: screensFile, line: 0, text: 'lists no screens' }];
    return repository.sources
      .filter(({ path, isTest }) => path.startsWith('apps/console/src/') && !isTest)
      .flatMap((file) => addressesIn(file, paths));
  },
};

function screenPathsIn({ sources }: Repository): Set<string> {
  const texts = sources.filter(({ path }) => screenFiles.includes(path)).map(({ text }) => text);
  return new Set([...texts.join('\n').matchAll(/\bpath: '(\/[^']+)'/g)].map(([, path = '']) => path));
}

/** Texts that are the path of a screen, with or without a query. */
function addressesIn(file: SourceFile, paths: ReadonlySet<string>): Finding[] {
  const found: Finding[] = [];
  const apiPaths = new Set<number>();
  const note = (text: string, start: number): void => {
    const path = text.split(/[?#]/)[0] ?? text;
    if (!paths.has(path) || apiPaths.has(start)) return;
    found.push({ path: file.path, line: lineOf(file.text, start), text: `writes ${path} itself; to() knows it` });
  };
  new Visitor({
    // A route of the API may share a screen's path; its type shows which of the two is meant.
    VariableDeclarator({ id, init }) {
      const { start, end } = id;
      if (init !== null && file.text.slice(start, end).endsWith("['path']")) apiPaths.add(init.start);
    },
    Literal({ value, start }) {
      if (typeof value === 'string') note(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      note(quasis[0]?.value.cooked ?? '', start);
    },
  }).visit(file.program);
  return found;
}
