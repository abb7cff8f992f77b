import { Visitor } from 'oxc-parser';
import { importsOf, workspacesOf } from './imports.ts';
import { lineOf, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/** The outside world: clock, randomness, environment, network, screen, timers. */
const worldly = new Set([
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'performance',
  'crypto',
  'console',
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'globalThis',
  'global',
  'WebSocket',
  'XMLHttpRequest',
  'EventSource',
  'require',
  'Buffer',
]);

/** The external packages that a pure package may use: schemas and validators, which are pure themselves. */
const pureModules: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': ['zod'],
  'packages/ocpp16': ['typed-ocpp', 'ajv'],
};

/** Imports from the outside that a file may have after all, each with a reason. */
const purityExceptions: readonly {
  path: string;
  found: string;
  names: readonly string[];
  because: string;
}[] = [
  {
    path: 'packages/tcec102/src/envelope.ts',
    found: 'node:crypto',
    names: ['createCipheriv', 'createDecipheriv', 'createHmac', 'timingSafeEqual'],
    because: 'the same bytes and keys always give the same result; nothing there is random or reads the machine',
  },
];

export const packagesArePure: Rule = {
  name: 'packages touch neither clock, chance, environment, network nor screen',
  check(repository) {
    const workspaces = workspacesOf(repository);
    return repository.sources
      .filter(({ path, isTest }) => /^packages\/[^/]+\/src\//.test(path) && !isTest)
      .flatMap((file) => {
        const workspace = file.path.split('/').slice(0, 2).join('/');
        const imports = importsOf(file, workspaces)
          .filter(({ target }) => target === null)
          .filter(
            ({ specifier }) =>
              !pureModules[workspace]?.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
          )
          .filter(({ specifier, names }) => !isException(file.path, specifier, names))
          .map(({ line, specifier }) => ({ path: file.path, line, text: `imports "${specifier}"` }));
        return [...imports, ...worldlyUses(file)];
      });
  },
};

function isException(path: string, specifier: string, names: readonly string[]): boolean {
  return purityExceptions.some(
    (exception) =>
      exception.path === path && exception.found === specifier && names.every((name) => exception.names.includes(name)),
  );
}

function worldlyUses(file: SourceFile): Finding[] {
  const own = declaredNames(file);
  const found: Finding[] = [];
  const add = (start: number, name: string) =>
    found.push({ path: file.path, line: lineOf(file.text, start), text: `uses ${name}` });
  // A name after a dot or before a colon is a property, not the global.
  const properties = new Set<number>();
  new Visitor({
    MemberExpression(node) {
      if (!node.computed) properties.add(node.property.start);
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed) return;
      const name = `${node.object.name}.${node.property.name}`;
      if (name === 'Date.now' || name === 'Math.random') add(node.start, name);
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        add(node.start, 'new Date()');
      }
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') add(node.start, 'Date()');
    },
    Property(node) {
      if (!node.computed && !node.shorthand) properties.add(node.key.start);
    },
  }).visit(file.program);
  new Visitor({
    Identifier(node) {
      if (worldly.has(node.name) && !own.has(node.name) && !properties.has(node.start)) add(node.start, node.name);
    },
  }).visit(file.program);
  return found;
}

/** Names that the file declares: imports, variables, parameters, functions, and the members of its types. */
function declaredNames(file: SourceFile): Set<string> {
  const names = new Set(
    file.module.staticImports.flatMap(({ entries }) => entries.map(({ localName }) => localName.value)),
  );
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const pattern = node as { type?: string; name?: string };
    if (pattern.type === 'Identifier' && pattern.name !== undefined) names.add(pattern.name);
    for (const key of ['left', 'argument', 'value', 'parameter']) collect((node as Record<string, unknown>)[key]);
    for (const key of ['elements', 'properties']) {
      for (const each of ((node as Record<string, unknown>)[key] as unknown[] | undefined) ?? []) collect(each);
    }
  };
  const collectAll = (nodes: readonly unknown[]) => {
    for (const node of nodes) collect(node);
  };
  new Visitor({
    VariableDeclarator: (node) => collect(node.id),
    FunctionDeclaration: (node) => {
      collect(node.id);
      collectAll(node.params);
    },
    FunctionExpression: (node) => collectAll(node.params),
    ArrowFunctionExpression: (node) => collectAll(node.params),
    TSFunctionType: (node) => collectAll(node.params),
    TSMethodSignature: (node) => {
      collect(node.key);
      collectAll(node.params);
    },
    TSPropertySignature: (node) => collect(node.key),
    PropertyDefinition: (node) => collect(node.key),
    MethodDefinition: (node) => collect(node.key),
  }).visit(file.program);
  return names;
}
