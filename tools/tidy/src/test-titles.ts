import { type Expression, Visitor } from 'oxc-parser';
import type { SourceFile } from './repository.ts';

/** A piece of a title: literal, or (null) known only when the tests run. */
type Piece = string | null;

export interface TestTitle {
  /** As in the source, with `%s`, `$name` and `${…}` where a table or an expression fills in. */
  written: string;
  /** The possible titles, one for every row of a table that could be read. */
  forms: readonly (readonly Piece[])[];
  /** Titles of the `describe` blocks around it, outermost first. */
  around: readonly TestTitle[];
}

/** A form with fewer literal characters would match nearly anything, so only the source's own text identifies it. */
const writtenMin = 8;
const formsMax = 500;

/** The titles of a file's tests: of `test`, `it` and their tables (`test.each`), with the blocks around them. */
export function testTitlesOf(file: SourceFile): TestTitle[] {
  const values = topLevelValues(file);
  const found: TestTitle[] = [];
  const around: { call: unknown; title: TestTitle }[] = [];
  new Visitor({
    CallExpression(node) {
      const kind = rootName(node.callee);
      const first = node.arguments[0];
      if (kind === null || first === undefined || first.type === 'SpreadElement') return;
      const written = writtenTitle(file, first);
      if (written === null) return;
      const title = {
        written,
        forms: formsOf(titlePieces(first, values), tableOf(node.callee, values)),
        around: around.map((block) => block.title),
      };
      if (kind === 'describe') around.push({ call: node, title });
      else found.push(title);
    },
    'CallExpression:exit'(node) {
      if (around.at(-1)?.call === node) around.pop();
    },
  }).visit(file.program);
  return found;
}

/** Whether `text` identifies the test: by its title, or by those of its blocks and its own, joined by " › ". */
export function namesTest(title: TestTitle, text: string): boolean {
  const chain = [...title.around, title];
  return chain.some((_, index) => {
    const part = chain.slice(index);
    if (part.map(({ written }) => written).join(' › ') === text) return true;
    return isForm(part, text);
  });
}

function isForm(chain: readonly TestTitle[], text: string): boolean {
  const [first, ...rest] = chain;
  if (first === undefined) return false;
  const forms = rest.reduce<readonly (readonly Piece[])[]>(
    (all, { forms: next }) => all.flatMap((head) => next.map((tail) => [...head, ' › ', ...tail])).slice(0, formsMax),
    first.forms,
  );
  return forms.some((pieces) => {
    const length = pieces.reduce((sum, piece) => sum + (piece ?? '').replaceAll(/\s/g, '').length, 0);
    if (pieces.includes(null) && length < writtenMin) return false;
    const pattern = pieces
      .map((piece) => (piece === null ? '.+' : piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('');
    return new RegExp(`^${pattern}$`, 's').test(text);
  });
}

/** `test`, `it` or `describe` at the bottom of `test.each(table)`, `describe.concurrent` and the like. */
function rootName(callee: Expression): 'test' | 'describe' | null {
  if (callee.type === 'Identifier') {
    if (callee.name === 'test' || callee.name === 'it') return 'test';
    return callee.name === 'describe' ? 'describe' : null;
  }
  if (callee.type === 'MemberExpression') return rootName(callee.object as Expression);
  if (callee.type === 'CallExpression') return rootName(callee.callee);
  return callee.type === 'TaggedTemplateExpression' ? rootName(callee.tag) : null;
}

type Values = ReadonlyMap<string, Expression>;

/** The file's constants by name, since a title may contain a figure and a table may be declared above its tests. */
function topLevelValues(file: SourceFile): Values {
  const values = new Map<string, Expression>();
  for (const statement of file.program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init !== null) values.set(id.name, init);
    }
  }
  return values;
}

/** Strips `as const` and `satisfies`, and replaces a constant's name by its value. */
function plain(node: Expression, values: Values, depth = 0): Expression {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return plain(node.expression, values, depth);
    case 'Identifier': {
      const value = values.get(node.name);
      return value === undefined || depth > 3 ? node : plain(value, values, depth + 1);
    }
    default:
      return node;
  }
}

function literalText(node: Expression, values: Values): string | null {
  const value = plain(node, values);
  if (value.type === 'TemplateLiteral' && value.expressions.length === 0) return value.quasis[0]?.value.cooked ?? null;
  if (value.type !== 'Literal' || value.value === null || typeof value.value === 'object') return null;
  return String(value.value);
}

function writtenTitle(file: SourceFile, node: Expression): string | null {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return file.text.slice(node.start + 1, node.end - 1);
    case 'BinaryExpression': {
      if (node.operator !== '+') return null;
      const left = writtenTitle(file, node.left);
      const right = writtenTitle(file, node.right);
      return left === null || right === null ? null : left + right;
    }
    default:
      return null;
  }
}

function titlePieces(node: Expression, values: Values): Piece[] {
  switch (node.type) {
    case 'TemplateLiteral':
      return node.quasis.flatMap((quasi, index) => {
        const expression = node.expressions[index];
        const text = quasi.value.cooked ?? quasi.value.raw;
        return expression === undefined ? [text] : [text, literalText(expression, values)];
      });
    case 'BinaryExpression':
      return [node.left, node.right].flatMap((side) =>
        side.type === 'PrivateIdentifier' ? [null] : titlePieces(side, values),
      );
    default:
      return [literalText(node, values)];
  }
}

/** The rows of `test.each(…)`: null if there is no table, empty if it could not be read. */
function tableOf(callee: Expression, values: Values): Expression[] | null {
  if (callee.type === 'TaggedTemplateExpression') return [];
  if (callee.type !== 'CallExpression') return null;
  const given = callee.arguments[0];
  if (given === undefined || given.type === 'SpreadElement') return [];
  const named = plain(given, values);
  // A function that picks from the rows, as in `test.each(shortOnes(rows))`, may pick any of them.
  const picked = named.type === 'CallExpression' && named.arguments.length === 1 ? named.arguments[0] : undefined;
  const table = picked === undefined || picked.type === 'SpreadElement' ? named : plain(picked, values);
  if (table.type !== 'ArrayExpression') return [];
  return table.elements.flatMap((row) => (row === null || row.type === 'SpreadElement' ? [] : [plain(row, values)]));
}

function formsOf(pieces: readonly Piece[], table: readonly Expression[] | null): Piece[][] {
  if (table === null) return [[...pieces]];
  return table.length === 0 ? [fill(pieces, null, 0)] : table.map((row, index) => fill(pieces, row, index));
}

const placeholder = /%[sdifjoc#$%]|\$\w+(?:\.\w+)*/g;

function fill(pieces: readonly Piece[], row: Expression | null, index: number): Piece[] {
  let next = 0;
  return pieces.flatMap((piece) => {
    if (piece === null) return [null];
    const filled: Piece[] = [];
    let from = 0;
    for (const match of piece.matchAll(placeholder)) {
      filled.push(piece.slice(from, match.index));
      from = match.index + match[0].length;
      if (match[0] === '%%') filled.push('%');
      else if (match[0] === '%#') filled.push(row === null ? null : String(index));
      else if (match[0].startsWith('%')) {
        filled.push(cellOf(row, next));
        next += 1;
      } else filled.push(fieldOf(row, match[0].slice(1)));
    }
    filled.push(piece.slice(from));
    return filled;
  });
}

const noValues: Values = new Map();

function cellOf(row: Expression | null, index: number): Piece {
  if (row === null) return null;
  if (row.type !== 'ArrayExpression') return index === 0 ? literalText(row, noValues) : null;
  const cell = row.elements[index];
  return cell === undefined || cell === null || cell.type === 'SpreadElement' ? null : literalText(cell, noValues);
}

function fieldOf(row: Expression | null, name: string): Piece {
  if (row?.type !== 'ObjectExpression') return null;
  for (const property of row.properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name) {
      return literalText(property.value, noValues);
    }
  }
  return null;
}
