import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { flowColumns, keptBetween } from './keep-sums.ts';

/** Transfers that one statement adds up. */
const transfersAtOnce = 20_000;

/** What the kept sums of a day hold, by table; the sums of each row by the values of its key. */
type DaySums = Readonly<Record<KeptTable, Map<string, number[]>>>;
type KeptTable = keyof typeof keptTables;

const keptTables = {
  statement_days: { key: { site_id: 'bigint', agent_id: 'bigint' }, sums: flowColumns },
  statement_shares: {
    key: { site_id: 'bigint', agent_id: 'bigint', party: 'text', party_id: 'bigint' },
    sums: ['shared_fen', 'paid_out_fen'],
  },
  ledger_days: { key: { account: 'text' }, sums: ['change_fen'] },
} as const;
const tableNames = Object.keys(keptTables) as KeptTable[];

/**
 * Adds up a day (in China) from its postings again and returns how many kept sums differ: zero where they are sound. Up
 * to the position that they reach; nobody waits for it.
 */
export async function countDifferences(db: Kysely<Tables>, day: string): Promise<number> {
  return (await compareDay(db, day)).differing;
}

/** Replaces the kept sums of a day by what its postings say, in one step for readers. Returns how many differed. */
export async function mendDay(db: Kysely<Tables>, day: string): Promise<number> {
  const { differing, keptTo, sums } = await compareDay(db, day);
  if (differing === 0) return 0;
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ to: number }>`select kept_to as to from finance_progress for update`.execute(trx);
    const to = rows[0]?.to ?? keptTo;
    // What was kept while the day was added up.
    await addTo(sums, trx, sql`f.position > ${keptTo} and f.position <= ${to}`, day);
    for (const table of tableNames) {
      const { key, sums: columns } = keptTables[table];
      const written = [...sums[table]].map(([values, figures]) => [...JSON.parse(values), ...figures]);
      const names = sql.raw([...Object.keys(key), ...columns].join(', '));
      const values = sql.raw(
        [...Object.values(key), ...columns.map(() => 'bigint')].map((type, at) => `(r ->> ${at})::${type}`).join(', '),
      );
      await sql`delete from ${sql.table(table)} where day = ${day}::date`.execute(trx);
      await sql`
        insert into ${sql.table(table)} (day, ${names})
        select ${day}::date, ${values} from jsonb_array_elements(${JSON.stringify(written)}::jsonb) r`.execute(trx);
    }
  });
  return differing;
}

async function compareDay(
  db: Kysely<Tables>,
  day: string,
): Promise<{ differing: number; keptTo: number; sums: DaySums }> {
  const kept = emptySums();
  const keptTo = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { rows } = await sql<{ to: number }>`select kept_to as to from finance_progress`.execute(trx);
      for (const table of tableNames) {
        await addRows(kept, table, trx, sql`select * from ${sql.table(table)} where day = ${day}::date`);
      }
      return rows[0]?.to ?? 0;
    });
  const sums = emptySums();
  const [begin, end] = [
    sql`(${day} || 'T00:00:00+08:00')::timestamptz`,
    sql`(${day} || 'T24:00:00+08:00')::timestamptz`,
  ];
  let after = sql`(${begin}, 0::bigint)`;
  for (;;) {
    const { rows } = await sql<{ at: string; id: number; transfers: number }>`
      select at::text as at, id, transfers from (
        select created_at as at, id, count(*) over ()::int as transfers from (
          select created_at, id from ledger_transfers
           where created_at < ${end} and (created_at, id) > ${after}
           order by created_at, id limit ${sql.lit(transfersAtOnce)}) part) numbered
       order by numbered.at desc, id desc limit 1`.execute(db);
    const [last] = rows;
    if (last === undefined) break;
    const upTo = sql`(${last.at}::timestamptz, ${last.id}::bigint)`;
    await addTo(
      sums,
      db,
      sql`(f.created_at, f.id) > ${after} and (f.created_at, f.id) <= ${upTo} and f.position <= ${keptTo}`,
      day,
    );
    if (last.transfers < transfersAtOnce) break;
    after = upTo;
  }
  return { differing: tableNames.reduce((n, table) => n + differingIn(kept[table], sums[table]), 0), keptTo, sums };
}

const emptySums = (): DaySums => ({ statement_days: new Map(), statement_shares: new Map(), ledger_days: new Map() });

/** Adds what the transfers `f` of the day move. */
async function addTo(sums: DaySums, db: Kysely<Tables>, where: RawBuilder<unknown>, day: string): Promise<void> {
  const ofDay = sql`${where} and f.created_at >= (${day} || 'T00:00:00+08:00')::timestamptz
                    and f.created_at < (${day} || 'T24:00:00+08:00')::timestamptz`;
  for (const table of tableNames) await addRows(sums, table, db, keptBetween[table](ofDay));
}

async function addRows(sums: DaySums, table: KeptTable, db: Kysely<Tables>, query: RawBuilder<unknown>): Promise<void> {
  const { key, sums: columns } = keptTables[table];
  const { rows } = await sql<Record<string, number>>`${query}`.execute(db);
  for (const row of rows) {
    const name = JSON.stringify(Object.keys(key).map((column) => row[column]));
    const before = sums[table].get(name);
    sums[table].set(
      name,
      columns.map((column, at) => (before?.[at] ?? 0) + (row[column] ?? 0)),
    );
  }
}

/** A row of zeros says as much as none. */
function differingIn(one: Map<string, number[]>, other: Map<string, number[]>): number {
  const sumsOf = (of: Map<string, number[]>, name: string, at: number) => of.get(name)?.[at] ?? 0;
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) =>
    (one.get(name) ?? other.get(name) ?? []).some((_, at) => sumsOf(one, name, at) !== sumsOf(other, name, at)),
  ).length;
}
