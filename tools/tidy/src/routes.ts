import { Visitor } from 'oxc-parser';
import { lineOf, type Repository, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/** A route exported by a contract file, as far as it is a literal. */
interface FoundRoute {
  name: string;
  module: string;
  method: string | null;
  path: string | null;
  permission: string | null;
  file: string;
  line: number;
}

const contractFolder = 'packages/contract/src/';

function routesOf(repository: Repository): FoundRoute[] {
  return repository.sources
    .filter(({ path, isTest }) => path.startsWith(contractFolder) && !isTest && path !== `${contractFolder}route.ts`)
    .flatMap((file) => {
      const routes: FoundRoute[] = [];
      new Visitor({
        VariableDeclarator(node) {
          const { id, init } = node;
          if (id.type !== 'Identifier' || init?.type !== 'CallExpression') return;
          if (init.callee.type !== 'Identifier' || init.callee.name !== 'route') return;
          const definition = init.arguments[0];
          if (definition?.type !== 'ObjectExpression') return;
          const text = (name: string): string | null => {
            for (const property of definition.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== name)
                continue;
              const value: { type: string; value?: unknown } = property.value;
              return typeof value.value === 'string'
                ? value.value
                : file.text.slice(property.value.start, property.value.end);
            }
            return null;
          };
          routes.push({
            name: id.name,
            module: file.path.slice(contractFolder.length).replace(/\.ts$/, ''),
            method: text('method'),
            path: text('path'),
            permission: text('permission'),
            file: file.path,
            line: lineOf(file.text, node.start),
          });
        },
      }).visit(file.program);
      return routes;
    });
}

export const routesPermitted: Rule = {
  name: 'every route says who may call it, and no two answer at one address',
  check(repository) {
    const taken = new Map<string, string>();
    return routesOf(repository).flatMap(({ name, method, path, permission, file, line }) => {
      const findings: Finding[] = [];
      const say = (text: string) => findings.push({ path: file, line, text: `${name} ${text}` });
      if (permission === null || permission === '') say('has no permission');
      const address = `${method} ${path?.replaceAll(/\{\w+\}/g, '{}')}`;
      const other = taken.get(address);
      if (other !== undefined) say(`answers at ${address}, as ${other} does`);
      taken.set(address, name);
      return findings;
    });
  },
};

export const routesBound: Rule = {
  name: 'every route of the contract is bound by the server',
  check(repository) {
    const bound = new Set(
      repository.sources
        .filter(({ path, isTest }) => path.startsWith('apps/server/src/') && !isTest)
        .flatMap((file) => boundIn(file)),
    );
    return routesOf(repository)
      .filter(({ name, module }) => !bound.has(`${module} ${name}`))
      .map(({ name, file, line }) => ({ path: file, line, text: `${name} is not bound by the server` }));
  },
};

/** The server's functions that bind a route, by kind of answer (apps/server/src/http/bind.ts). */
const binders = new Set([
  'bind',
  'bindPublic',
  'bindFile',
  'bindUpload',
  'bindStream',
  'bindOwn',
  'bindOwnStream',
  'bindOwnFile',
]);

/** The first argument of every `….bind(route, …)`, as "module name" of the contract. */
function boundIn(file: SourceFile): string[] {
  const imported = new Map<string, string>();
  const wholeModules = new Map<string, string>();
  for (const { moduleRequest, entries } of file.module.staticImports) {
    const module = /^@voltdeck\/contract\/(.+)$/.exec(moduleRequest.value)?.[1];
    if (module === undefined) continue;
    for (const { importName, localName, isType } of entries) {
      if (isType) continue;
      if (importName.name === null) wholeModules.set(localName.value, module);
      else imported.set(localName.value, `${module} ${importName.name}`);
    }
  }
  const bound: string[] = [];
  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      const calls =
        callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier'
          ? callee.property.name
          : callee.type === 'Identifier'
            ? callee.name
            : null;
      if (calls === null || !binders.has(calls) || node.arguments.length < 2) return;
      const route = node.arguments[0];
      if (route?.type === 'Identifier') {
        const known = imported.get(route.name);
        if (known !== undefined) bound.push(known);
      } else if (route?.type === 'MemberExpression' && route.object.type === 'Identifier') {
        const module = wholeModules.get(route.object.name);
        if (module !== undefined && !route.computed && route.property.type === 'Identifier') {
          bound.push(`${module} ${route.property.name}`);
        }
      }
    },
  }).visit(file.program);
  return bound;
}
