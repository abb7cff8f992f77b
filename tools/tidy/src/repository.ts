import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A file of the repository; `path` is relative to its root, with forward slashes. */
export interface TextFile {
  path: string;
  text: string;
}

type Parsed = ReturnType<typeof parseSync>;

/** A file in TypeScript or JavaScript, parsed. */
export interface SourceFile extends TextFile {
  program: Parsed['program'];
  module: Parsed['module'];
  isTest: boolean;
}

export interface Repository {
  root: string;
  /** Every text file. */
  files: TextFile[];
  /** The code among them. */
  sources: SourceFile[];
}

const ignoredFolders = new Set(['node_modules', 'dist', 'data', '.git', '.cache', 'coverage', 'test-results']);
const textEndings =
  /\.(ts|tsx|mts|js|mjs|cjs|json|md|sql|css|html|svg|yml|yaml|txt|sh)$|(^|\/)(\.npmrc|\.gitignore|run|NOTICE|LICENSE)$/;
const codeEndings = /\.(ts|tsx|mts|js|mjs)$/;
const fileBytesMax = 4_000_000;

/** Reads the repository from disk, without what git ignores. */
export function readRepository(root: string): Repository {
  const files: TextFile[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!ignoredFolders.has(entry.name)) walk(path);
      } else if (entry.isFile() && textEndings.test(path)) {
        const text = readFileSync(join(root, path), 'utf8');
        if (text.length <= fileBytesMax) files.push({ path, text });
      }
    }
  };
  walk('');
  return repositoryOf(files, root);
}

/** A repository of the given files, for tests of the rules. */
export function repositoryOf(files: readonly TextFile[], root = '/repository'): Repository {
  return { root, files: [...files], sources: files.filter(({ path }) => codeEndings.test(path)).map(parse) };
}

/** A repository from `path: text` pairs. */
export function sampleRepository(files: Readonly<Record<string, string>>): Repository {
  return repositoryOf(Object.entries(files).map(([path, text]) => ({ path, text })));
}

function parse(file: TextFile): SourceFile {
  const { program, module, errors } = parseSync(file.path, file.text);
  const broken = errors.find(({ severity }) => severity === 'Error');
  if (broken !== undefined) throw new Error(`${file.path} cannot be parsed: ${broken.message}`);
  return { ...file, program, module, isTest: /\.test\.tsx?$/.test(file.path) || file.path.startsWith('tests/') };
}

/** The line number, from 1, of a character position. */
export function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** "packages/units", "apps/server", "tools/tidy" … of a path inside a workspace; null at the root and in docs. */
export function workspaceOf(path: string): string | null {
  return /^(?:packages|apps|tools|tests)\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}
