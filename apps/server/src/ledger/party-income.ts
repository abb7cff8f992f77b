import type { PartyIncome } from '@voltdeck/contract/agent-withdrawals';
import type { Settled } from '@voltdeck/ledger/settlement';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { accountKey } from './account-key.ts';

type Part = Exclude<keyof PartyIncome, 'incomeFen'>;

/**
 * What became of the income of the party whose id stands in a column, each part by the books: nothing else leaves a
 * party's accounts, so that its income is their sum.
 */
export function partyIncomeOf(
  kind: Settled['kind'],
  partyId: string,
): Readonly<Record<keyof PartyIncome, RawBuilder<Fen>>> {
  const balanceOf = (account: `${Settled['kind']}-${'share' | 'balance' | 'frozen'}`) =>
    sql<Fen>`coalesce((select sum(balance_fen)::bigint from ledger_accounts
                        where key = ${accountKey(account, partyId)}), 0)`;
  const parts: Record<Part, RawBuilder<Fen>> = {
    unpaidFen: balanceOf(`${kind}-share`),
    balanceFen: balanceOf(`${kind}-balance`),
    frozenFen: balanceOf(`${kind}-frozen`),
    withdrawnFen: sql<Fen>`coalesce((select sum(w.amount_fen)::bigint from agent_withdrawals w
                                      where ${sql.ref(`w.${kind}_id`)} = ${sql.ref(partyId)}
                                        and w.state in ('withdrawn', 'processed')), 0)`,
  };
  return { ...parts, incomeFen: sql<Fen>`(${sql.join(Object.values(parts), sql` + `)})` };
}

/** The income of one party and what became of it. */
export async function readPartyIncome(db: Kysely<Tables>, { kind, id }: Settled): Promise<PartyIncome> {
  const { incomeFen, unpaidFen, balanceFen, frozenFen, withdrawnFen } = partyIncomeOf(kind, 'party.id');
  const { rows } = await sql<PartyIncome>`
    select ${incomeFen} as "incomeFen", ${unpaidFen} as "unpaidFen", ${balanceFen} as "balanceFen",
           ${frozenFen} as "frozenFen", ${withdrawnFen} as "withdrawnFen"
      from (values (${id}::bigint)) as party (id)`.execute(db);
  return onlyRow(rows);
}

/** The same of all agents and dividers together. */
export async function readIncomeOfAll(db: Kysely<Tables>): Promise<PartyIncome> {
  const { rows } = await sql<PartyIncome>`
    select (a.unpaid + a.balance + a.frozen + w.withdrawn)::bigint as "incomeFen", a.unpaid as "unpaidFen",
           a.balance as "balanceFen", a.frozen as "frozenFen", w.withdrawn as "withdrawnFen"
      from (select coalesce(sum(balance_fen) filter (where prefix in ('agent-share', 'divider-share')), 0)::bigint as unpaid,
                   coalesce(sum(balance_fen) filter (where prefix in ('agent-balance', 'divider-balance')), 0)::bigint as balance,
                   coalesce(sum(balance_fen) filter (where prefix in ('agent-frozen', 'divider-frozen')), 0)::bigint as frozen
              from ledger_accounts
             where prefix in ('agent-share', 'divider-share', 'agent-balance', 'divider-balance', 'agent-frozen',
                              'divider-frozen')) a,
           (select coalesce(sum(amount_fen), 0)::bigint as withdrawn from agent_withdrawals
             where state in ('withdrawn', 'processed')) w`.execute(db);
  return onlyRow(rows);
}

function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('a select of figures gave no row');
  return row;
}
