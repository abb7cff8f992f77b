import {
  type AccountParty,
  differencesMax,
  listProofRuns,
  type ProofDifference,
  type ProofRun,
  type ProofState,
} from '@voltdeck/contract/books';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { behind } from '../ledger/record-proofs.ts';
import { partyOf, toParty } from './party.ts';

function runRows(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('ledger_proof_runs as r')
    .leftJoin('users', 'users.id', 'r.user_id')
    .select([
      'r.id',
      'r.kind',
      'r.began_at as beganAt',
      'r.took_ms as tookMs',
      'r.outcome',
      'r.proven_to as provenTo',
      'r.behind',
      'r.transfers',
      'r.differences',
      'r.sum_fen as sumFen',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
    ]);
}

type RunRow = { [Name in keyof ProofRun]: Name extends 'beganAt' ? Instant : Name extends 'id' ? number : unknown };

function toRun(row: RunRow): ProofRun {
  return { ...row, beganAt: toIso(row.beganAt) } as ProofRun;
}

export const proofRunList = listSource({
  route: listProofRuns,
  platformOnly: true,
  filtered(db, _caller, filter) {
    let runs = db.selectFrom('ledger_proof_runs as r');
    const { kind, different } = filter;
    if (kind !== undefined) runs = runs.where('r.kind', 'in', kind);
    if (different !== undefined) runs = runs.where('r.differences', different ? '>' : '=', 0);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) runs = runs.where('r.began_at', '>=', from);
    if (to !== null) runs = runs.where('r.began_at', '<=', to);
    return runs;
  },
  id: sql`r.id`,
  sorts: { beganAt: sql`r.began_at` },
  rows: (db, read) => runRows(db, read),
  toItem: toRun,
});

/** How far the books are proven, and what is wrong with them. */
export async function readProofState(db: Kysely<Tables>, caller: Caller): Promise<ProofState> {
  const last = (kind: ProofRun['kind']) =>
    runRows(db, caller)
      .where('r.kind', '=', kind)
      .orderBy('r.began_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(1)
      .executeTakeFirst();
  const state = await db
    .selectFrom('ledger_proof')
    .select(['proven_to as provenTo', 'round_ended_at as roundEndedAt'])
    .executeTakeFirstOrThrow();
  const [lastRun, lastWhole, unproven, differences] = await Promise.all([
    last('new'),
    last('whole'),
    behind(state.provenTo).execute(db),
    readDifferences(
      db,
      sql`select account_id, kept_fen, posted_fen from ledger_differences order by account_id limit ${differencesMax}`,
    ),
  ]);
  return {
    lastRun: lastRun === undefined ? null : toRun(lastRun),
    lastWhole: lastWhole === undefined ? null : toRun(lastWhole),
    provenTo: state.provenTo,
    behind: unproven.rows[0]?.behind ?? 0,
    roundEndedAt: isoOrNull(state.roundEndedAt),
    differences,
    wholeDifferences: lastWhole === undefined ? [] : await readDifferences(db, foundBy(lastWhole.id)),
  };
}

/** What a proof of everything found, as it was then. */
function foundBy(runId: number) {
  return sql`
    select f."accountId" as account_id, f."keptFen" as kept_fen, f."postedFen" as posted_fen
      from ledger_proof_runs r
     cross join jsonb_to_recordset(r.found) as f ("accountId" bigint, "keptFen" bigint, "postedFen" bigint)
     where r.id = ${runId}`;
}

async function readDifferences(db: Kysely<Tables>, found: ReturnType<typeof sql>): Promise<ProofDifference[]> {
  const { rows } = await sql<{ account: AccountParty; keptFen: Fen; postedFen: Fen }>`
    select ${partyOf('a')} as account, d.kept_fen as "keptFen", d.posted_fen as "postedFen"
      from (${found}) d join ledger_accounts a on a.id = d.account_id
     order by d.account_id`.execute(db);
  return rows.map(({ account, ...figures }) => ({ account: toParty(account), ...figures }));
}
