import type { SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

const page = /^docs\/decisions\/\d{4}-state-of-one-process\.md$/;
const source = /^apps\/server\/src\/(.+)$/;
const forTests = /\.test\.ts$|(?:^|\/)test-[^/]+\.ts$/;

/** A syntax node from the parser, without its exact type. */
type Node = { type: string; start: number } & Record<string, unknown>;

/** Methods that change their object. */
const changing = new Set(['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice', 'sort']);
/** Functions passed to these run before they return: what they change is a sum, not state. */
const runsAtOnce = new Set(['map', 'flatMap', 'forEach', 'filter', 'reduce', 'some', 'every', 'find', 'sort', 'from']);
const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

/**
 * The names under which a file keeps state between calls: variables of the module that change, variables of a function
 * that inner functions change, and classes with fields that change. What typed objects hold is not seen.
 */
export function stateIn({ program }: Pick<SourceFile, 'program'>): string[] {
  const root = program as unknown as Node;
  const names: string[] = [];
  const changed = changedIn(root);
  for (const { name, init, isConst } of variablesOf(root)) {
    if (!isConst || isEmptyContainer(init) || (isContainer(init) && changed.has(name))) names.push(name);
  }
  const visit = (node: Node): void => {
    if (isFunction(node)) {
      const inside = changedInsideOf(node);
      for (const { name, init, isConst } of variablesOf(node.body as Node)) {
        if (inside.has(name) && (!isConst || isContainer(init))) names.push(name);
      }
    }
    if (node.type === 'ClassDeclaration' && classKeepsState(node)) names.push(nameOf(node.id) ?? '');
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return [...new Set(names)];
}

function classKeepsState(node: Node): boolean {
  return childrenOf(node.body as Node).some(
    (member) =>
      member.type === 'PropertyDefinition' &&
      member.declare !== true &&
      (member.readonly !== true || isContainer(member.value as Node | null)),
  );
}

type Variable = { name: string; init: Node | null; isConst: boolean };

/** The variables that a program or a block declares itself, exported or not. */
function variablesOf(block: Node): Variable[] {
  const statements = Array.isArray(block.body) ? (block.body as Node[]) : [];
  return statements.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement;
    if (declared?.type !== 'VariableDeclaration') return [];
    return (declared.declarations as Node[]).flatMap(({ id, init }) => {
      const name = nameOf(id);
      return name === null ? [] : [{ name, init: init as Node | null, isConst: declared.kind === 'const' }];
    });
  });
}

function isContainer(node: Node | null): boolean {
  if (node === null) return false;
  if (node.type === 'NewExpression') return collections.has(nameOf(node.callee) ?? '');
  return node.type === 'ArrayExpression' || node.type === 'ObjectExpression';
}

function isEmptyContainer(node: Node | null): boolean {
  if (node === null || !isContainer(node)) return false;
  const parts = (node.arguments ?? node.elements ?? node.properties) as readonly Node[];
  return parts.length === 0;
}

/** The variables that are assigned or changed anywhere below. */
function changedIn(node: Node, names = new Set<string>()): Set<string> {
  const note = (target: unknown, isCall: boolean): void => {
    let at = target as Node;
    while (at.type === 'MemberExpression' && !isCall) at = at.object as Node;
    const name = nameOf(at);
    if (name !== null) names.add(name);
  };
  if (node.type === 'AssignmentExpression') note(node.left, false);
  if (node.type === 'UpdateExpression') note(node.argument, false);
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node;
    if (callee.type === 'MemberExpression' && changing.has(nameOf(callee.property) ?? '')) note(callee.object, true);
  }
  for (const child of childrenOf(node)) changedIn(child, names);
  return names;
}

/** The variables that inner functions change later. */
function changedInsideOf(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (parent: Node): void => {
    for (const child of childrenOf(parent)) {
      if (isFunction(child) && !isRunAtOnce(parent)) changedIn(child, names);
      else visit(child);
    }
  };
  visit(node);
  return names;
}

function isRunAtOnce(parent: Node): boolean {
  const callee = parent.type === 'CallExpression' ? (parent.callee as Node) : null;
  return callee?.type === 'MemberExpression' && runsAtOnce.has(nameOf(callee.property) ?? '');
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

function nameOf(node: unknown): string | null {
  const named = node as { type?: string; name?: string } | null;
  return named?.type === 'Identifier' && named.name !== undefined ? named.name : null;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

/** The rows of the page's tables: `| path | names in backticks | … |`. */
function rowsOf(text: string): { path: string; names: string[]; line: number }[] {
  return text.split('\n').flatMap((written, index) => {
    const [before, where = '', keeps = ''] = written.split('|').map((cell) => cell.trim());
    const path = /^`([\w/-]+\.ts)`$/.exec(where)?.[1];
    if (before !== '' || path === undefined) return [];
    return [{ path, names: [...keeps.matchAll(/`(\w+)`/g)].map(([, name = '']) => name), line: index + 1 }];
  });
}

export const stateNamed: Rule = {
  name: 'state that a server process keeps is listed on its page',
  check(repository) {
    const file = repository.files.find(({ path }) => page.test(path));
    if (file === undefined) return [{ path: 'docs/decisions', line: 0, text: 'has no page "state of one process"' }];
    const findings: Finding[] = [];
    const rows = rowsOf(file.text);
    const listed = new Set(rows.flatMap(({ path, names }) => names.map((name) => `${path} ${name}`)));
    const sources = new Map(
      repository.sources.flatMap((each) => {
        const path = source.exec(each.path)?.[1];
        return path === undefined || forTests.test(path) ? [] : [[path, each] as const];
      }),
    );
    for (const [path, each] of sources) {
      for (const name of stateIn(each)) {
        if (listed.has(`${path} ${name}`)) continue;
        findings.push({ path: each.path, line: 0, text: `keeps "${name}" in mind; give it a row in ${file.path}` });
      }
    }
    for (const { path, names, line } of rows) {
      const text = sources.get(path)?.text;
      if (text === undefined) findings.push({ path: file.path, line, text: `${path} is not there` });
      for (const name of names) {
        if (text !== undefined && !new RegExp(`\\b${name}\\b`).test(text)) {
          findings.push({ path: file.path, line, text: `${path} keeps no "${name}"` });
        }
      }
    }
    return findings;
  },
};
