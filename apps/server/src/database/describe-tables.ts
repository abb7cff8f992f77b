import type { Pool } from 'pg';
import { isInstantColumn } from './instant-parameters.ts';

interface Column {
  table: string;
  name: string;
  udt: string;
  nullable: boolean;
  /**
   * `always` is an identity or generated column, which only the database sets; `default` may be omitted when inserting.
   */
  given: 'always' | 'default' | 'never';
  /** The table it refers to, when it is a foreign key or the primary key. */
  refersTo: string | null;
  choices: readonly string[] | null;
}

const columnsQuery = `
  SELECT c.relname AS table, a.attname AS name, t.typname AS udt,
         NOT a.attnotnull AS nullable,
         CASE WHEN a.attidentity = 'a' OR a.attgenerated <> '' THEN 'always'
              WHEN a.atthasdef OR a.attidentity = 'd' THEN 'default'
              ELSE 'never' END AS given,
         (SELECT r.relname FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
           WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum]
           ORDER BY k.conname LIMIT 1) AS "refersTo",
         ARRAY(SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
           WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
           ORDER BY k.conname) AS checks
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_type t ON t.oid = a.atttypid
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY c.relname, a.attnum`;

/** The TypeScript type of each PostgreSQL type, as pool.ts parses it. */
const plainTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Instant',
  uuid: 'string',
  varchar: 'string',
};

/** The unit in a column's name, and the type for it. */
const unitTypes = [
  ['_fen', 'Fen', 'money'],
  ['_price_e5', 'PriceE5', 'money'],
  ['_wh', 'WattHours', 'energy'],
  ['_w', 'Watts', 'energy'],
  ['_ma', 'Milliamperes', 'energy'],
  ['_mv', 'Millivolts', 'energy'],
] as const;

/**
 * Writes the TypeScript types of every table: branded ids and units, the choices of a check as a union, and columns
 * with a default as optional when inserting.
 * @throws Error for a column type that the pool does not parse, and for a timestamptz column whose name does not say so
 * (see instant-parameters.ts).
 */
export async function describeTables(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Omit<Column, 'choices'> & { checks: string[] }>(columnsQuery);
  const columns: Column[] = rows.map(({ checks, ...column }) => ({ ...column, choices: choicesOf(checks) }));
  const tables = [...new Set(columns.map(({ table }) => table))];
  const idTables = new Set(
    columns.filter(({ name, udt }) => name === 'id' && udt === 'int8').map(({ table }) => table),
  );
  const body = tables.map((table) => {
    const fields = columns
      .filter((column) => column.table === table)
      .map((column) => `  ${column.name}: ${typeOf(column, idTables)};`);
    return `export interface ${typeName(table)} {\n${fields.join('\n')}\n}\n`;
  });
  const all = `export interface Tables {\n${tables.map((table) => `  ${table}: ${typeName(table)};`).join('\n')}\n}\n`;
  return `${header(body.join(''))}\n${body.join('\n')}\n${all}`;
}

function header(body: string): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(body);
  const kysely = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => name === 'ColumnType' || uses(name));
  const from = (module: string) =>
    unitTypes.filter(([, name, file]) => file === module && uses(name)).map(([, name]) => name);
  const imports = [
    ['@voltdeck/units/energy', from('energy').sort()],
    ['@voltdeck/units/id', uses('Id') ? ['Id'] : []],
    ['@voltdeck/units/instant', uses('Instant') ? ['Instant'] : []],
    ['@voltdeck/units/money', from('money').sort()],
    ['kysely', kysely],
  ] as const;
  return [
    '// Written by `npm run db:types` from the migrations; a test checks that it is current.',
    ...imports
      .filter(([, names]) => names.length > 0)
      .map(([module, names]) => `import type { ${names.join(', ')} } from '${module}';`),
    '',
    '/** Read as it was parsed, written as JSON text (the driver would make a PostgreSQL array of a list). */',
    'type Json = ColumnType<unknown, string, string>;',
    '',
  ].join('\n');
}

function typeOf(column: Column, idTables: ReadonlySet<string>): string {
  const base = column.udt.startsWith('_')
    ? `${plainType(column, column.udt.slice(1))}[]`
    : scalarType(column, idTables);
  const whole = column.nullable ? `${base} | null` : base;
  switch (column.given) {
    case 'always':
      return `GeneratedAlways<${whole}>`;
    case 'default':
      return base === 'Json' ? 'ColumnType<unknown, string | undefined, string>' : `Generated<${whole}>`;
    case 'never':
      return base === 'Json' && column.nullable
        ? 'ColumnType<unknown, string | null | undefined, string | null>'
        : whole;
  }
}

function scalarType(column: Column, idTables: ReadonlySet<string>): string {
  const plain = plainType(column, column.udt);
  if ((plain === 'Instant') !== isInstantColumn(column.name)) {
    throw new Error(`${column.table}.${column.name}: a timestamptz column, and no other, is named "at" or "…_at"`);
  }
  if (column.choices !== null && plain === 'string') return column.choices.map((choice) => `'${choice}'`).join(' | ');
  if (plain !== 'number') return plain;
  const target = idTarget(column, idTables);
  if (target !== null) return `Id<'${recordKind(target)}'>`;
  return unitTypes.find(([unit]) => `${column.name}_`.includes(`${unit}_`))?.[1] ?? 'number';
}

function plainType(column: Column, udt: string): string {
  const type = plainTypes[udt];
  if (type === undefined) throw new Error(`${column.table}.${column.name}: no way to read a ${udt} is defined`);
  return type;
}

/** By foreign key, else by name: partitioned tables and archives have ids without a constraint. */
function idTarget(column: Column, idTables: ReadonlySet<string>): string | null {
  if (column.name === 'id') return idTables.has(column.table) ? column.table : null;
  if (column.refersTo !== null) return idTables.has(column.refersTo) ? column.refersTo : null;
  const match = /^(.+)_id$/.exec(column.name);
  return match === null ? null : ([...idTables].find((table) => recordKind(table) === match[1]) ?? null);
}

/** orders -> order, audit_entries -> audit_entry, ledger_accounts -> account: the kinds of units/id.ts. */
function recordKind(table: string): string {
  return table
    .replace(/^ledger_/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
}

function typeName(table: string): string {
  return `${table.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Table`;
}

/** The values of `column IN ('a', 'b')`, as PostgreSQL writes it back. */
function choicesOf(checks: readonly string[]): readonly string[] | null {
  for (const check of checks) {
    const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(check)?.[1];
    if (list === undefined) continue;
    const values = [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value]) => value ?? '');
    if (values.length > 0 && values.every((value) => /^[\w.-]+$/.test(value))) return values;
  }
  return null;
}
