import { posix } from 'node:path';
import { lineOf, type Repository, type SourceFile, workspaceOf } from './repository.ts';

/** One import or re-export of a file. */
export interface Import {
  from: SourceFile;
  line: number;
  /** As written: "./order.ts", "@voltdeck/units/money", "node:fs", "pg". */
  specifier: string;
  /** The path inside the repository, whether or not the file exists; null for external packages. */
  target: string | null;
  /** The imported names; `*` for all of them. */
  names: string[];
}

const ownScope = '@voltdeck/';

/** Every static and dynamic import of a file. */
export function importsOf(file: SourceFile, workspaces: ReadonlyMap<string, string>): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, start: number, names: string[]) =>
    found.push({
      from: file,
      line: lineOf(file.text, start),
      specifier,
      target: targetOf(file.path, specifier, workspaces),
      names,
    });
  for (const { moduleRequest, entries, start } of file.module.staticImports) {
    const values = entries.filter(({ isType }) => !isType);
    const names = (values.length > 0 ? values : entries).map(({ importName }) => importName.name ?? '*');
    add(moduleRequest.value, start, names);
  }
  for (const { entries, start } of file.module.staticExports) {
    for (const entry of entries) {
      if (entry.moduleRequest !== null) {
        add(entry.moduleRequest.value, start, [entry.importName.name ?? '*']);
      }
    }
  }
  for (const { moduleRequest, start } of file.module.dynamicImports) {
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(file.text.slice(moduleRequest.start, moduleRequest.end))?.[1];
    if (literal !== undefined) add(literal, start, ['*']);
  }
  return found;
}

/** Each workspace's package name with its folder: "@voltdeck/units" -> "packages/units". */
export function workspacesOf(repository: Repository): Map<string, string> {
  const workspaces = new Map<string, string>();
  for (const { path, text } of repository.files) {
    const folder = workspaceOf(path);
    if (folder === null || path !== `${folder}/package.json`) continue;
    workspaces.set((JSON.parse(text) as { name: string }).name, folder);
  }
  return workspaces;
}

function targetOf(from: string, specifier: string, workspaces: ReadonlyMap<string, string>): string | null {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier));
  if (!specifier.startsWith(ownScope)) return null;
  const [scope, name, ...rest] = specifier.split('/');
  const folder = workspaces.get(`${scope}/${name}`) ?? `packages/${name}`;
  return rest.length === 0 ? folder : `${folder}/src/${rest.join('/')}.ts`;
}
