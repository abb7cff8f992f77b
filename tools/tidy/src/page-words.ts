import { type Argument, Visitor } from 'oxc-parser';
import { importsOf, workspacesOf } from './imports.ts';
import { phrasesOf } from './phrases.ts';
import { lineOf, type Repository, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

const root = 'apps/console/src/';
const coreFile = 'packages/phrases/src/zh-CN/core.ts';
/** The sign-in page uses only its own words, the frame those of the core. */
const signIn = `${root}main.tsx`;
const frame = `${root}shell/console.tsx`;
/** `page(['orders'], () => import('./OrderPage.tsx'))` loads a part of the console together with words. */
const loaders = new Set(['page', 'withWords']);

/** Tables that name phrases used elsewhere, with words that are loaded there. */
const sayNothing: ReadonlySet<string> = new Set([
  // The help for keys and the search show what a key does.
  `${root}ui/keys.ts`,
]);

/** A part of the console that is loaded separately. */
interface Load {
  target: string;
  /** The words loaded with it. */
  words: readonly string[];
  line: number;
}

export const wordsComeAlong: Rule = {
  name: 'every page loads the phrase files that it uses, and no others',
  check(repository) {
    const console = readConsole(repository);
    if (console.core.size === 0) return [{ path: coreFile, line: 0, text: 'gathers no words' }];
    const findings: Finding[] = [];
    const seen = new Set<string>();
    const visit = (part: string, words: ReadonlySet<string>): ReadonlySet<string> => {
      const said = new Set<string>();
      const mark = `${part} ${[...words].sort()}`;
      const isKnown = seen.has(mark);
      seen.add(mark);
      for (const path of console.reachedFrom(part)) {
        for (const [file, key] of console.saidIn(path)) {
          said.add(file);
          if (words.has(file) || isKnown) continue;
          findings.push({ path, line: 0, text: `says ${key}; the words of ${file} do not come with ${part}` });
        }
        for (const { target, words: own, line } of console.loadsIn(path)) {
          const below = visit(target, new Set([...words, ...own]));
          for (const each of below) said.add(each);
          if (isKnown) continue;
          for (const each of own.filter((one) => !below.has(one))) {
            findings.push({ path, line, text: `loads the words of ${each} with ${target}, which does not say them` });
          }
        }
      }
      return said;
    };
    visit(signIn, new Set(['access']));
    visit(frame, console.core);
    return findings;
  },
};

function readConsole(repository: Repository) {
  const workspaces = workspacesOf(repository);
  const sources = new Map(
    repository.sources.filter(({ path, isTest }) => path.startsWith(root) && !isTest).map((file) => [file.path, file]),
  );
  const fileAt = (target: string | null) =>
    [target ?? '', `${target?.replace(/\.ts$/, '')}.tsx`].find((path) => sources.has(path));
  const loads = new Map(
    [...sources].map(([path, file]) => [path, loadsOf(file, (text) => fileAt(resolved(path, text)))]),
  );
  const keys = new Map(phrasesOf(repository, 'zh-CN').map(({ key, path }) => [key, wordsOf(path)]));
  const saids = new Map<string, Map<string, string>>();
  const core = repository.sources.find(({ path }) => path === coreFile);
  return {
    core: new Set(core?.module.staticImports.map(({ moduleRequest }) => wordsOf(moduleRequest.value)) ?? []),
    loadsIn: (path: string): readonly Load[] => loads.get(path) ?? [],
    saidIn(path: string): ReadonlyMap<string, string> {
      const file = sources.get(path);
      const isSilent = file === undefined || sayNothing.has(path);
      const known = saids.get(path) ?? (isSilent ? new Map<string, string>() : saidIn(file, keys));
      saids.set(path, known);
      return known;
    },
    /** Files that are loaded with a part, without those that have words of their own. */
    reachedFrom(part: string): ReadonlySet<string> {
      const reached = new Set<string>();
      const waiting = [part];
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        const file = sources.get(path);
        if (file === undefined || reached.has(path)) continue;
        reached.add(path);
        const apart = new Set(loads.get(path)?.map(({ target }) => target));
        for (const { target } of importsOf(file, workspaces)) {
          const next = fileAt(target);
          if (next !== undefined && next !== frame && !apart.has(next)) waiting.push(next);
        }
      }
      return reached;
    },
  };
}

/** "menu-list.ts" of the phrases is `menuList` in the console. */
function wordsOf(path: string): string {
  return path.replaceAll(/^.*\/|\.ts$/g, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function resolved(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function loadsOf(file: SourceFile, find: (specifier: string) => string | undefined): Load[] {
  const found: Load[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier' || !loaders.has(callee.name) || given.length !== 2) return;
      const [words, load] = given;
      if (words?.type !== 'ArrayExpression' || load === undefined) return;
      const target = find(importedBy(load, file));
      if (target === undefined) return;
      const names = words.elements.flatMap((each) =>
        each?.type === 'Literal' && typeof each.value === 'string' ? [each.value] : [],
      );
      found.push({ target, words: names, line: lineOf(file.text, start) });
    },
  }).visit(file.program);
  return found;
}

/** The specifier in `() => import('./OrderPage.tsx')`. */
function importedBy({ start, end }: Argument, file: SourceFile): string {
  return /\bimport\(\s*'([^']+)'\s*\)/.exec(file.text.slice(start, end))?.[1] ?? '';
}

/** The phrase files that a source uses, each with a key that proves it. */
function saidIn(file: SourceFile, keys: ReadonlyMap<string, string>): Map<string, string> {
  const said = new Map<string, string>();
  const note = (words: string | undefined, key: string) => {
    if (words !== undefined && !said.has(words)) said.set(words, key);
  };
  /** "orders.reason" and "task-list." are prefixes of keys; "orders" may be any word. */
  const noteBeginning = (text: string) => {
    if (!/^[a-z][\w-]*[.-]/.test(text)) return;
    const head = text.endsWith('.') ? text : `${text}.`;
    for (const [key, words] of keys) if (key.startsWith(head)) note(words, key);
  };
  new Visitor({
    Literal({ value }) {
      if (typeof value !== 'string') return;
      note(keys.get(value), value);
      if (value.includes('.')) noteBeginning(value);
    },
    CallExpression({ arguments: [first] }) {
      // wordFor('task-list', name): elsewhere a word with a hyphen may be anything.
      if (first?.type === 'Literal' && typeof first.value === 'string') noteBeginning(first.value);
    },
    TemplateLiteral({ quasis, expressions }) {
      const head = quasis[0]?.value.cooked ?? '';
      if (expressions.length === 0) note(keys.get(head), head);
      else if (/^[a-z][\w-]*\.[\w.-]*$/.test(head)) {
        for (const [key, words] of keys) if (key.startsWith(head)) note(words, key);
      }
    },
  }).visit(file.program);
  return said;
}
