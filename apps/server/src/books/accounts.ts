import {
  type AccountMovement,
  type AccountParty,
  accountMovementsMax,
  type getLedgerAccount,
  type getLedgerBalances,
  listLedgerAccounts,
} from '@voltdeck/contract/books';
import type { AnswerOf } from '@voltdeck/contract/route';
import { type AccountKind, accountKinds, chart } from '@voltdeck/ledger/chart';
import type { TransferReason } from '@voltdeck/ledger/transfer';
import type { AccountId, TransferId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';
import { keysOf, keysOfCards, keysOfCustomers } from './find-owned.ts';
import { balanceOf, isFirstRow, partyOf, toAccount, toParty } from './party.ts';

const balance = balanceOf('a');

/** The kinds that may match; null for all. Only some may be below zero, which keeps their search short. */
function kindsOf({ kind, balance: sign }: FilterOf<typeof listLedgerAccounts>): AccountKind[] | null {
  if (sign !== 'below') return kind ?? null;
  return (kind ?? accountKinds).filter((each) => chart[each].mayBeNegative);
}

const signs = { above: sql`>`, zero: sql`=`, below: sql`<` };

export const ledgerAccountList = listSource({
  route: listLedgerAccounts,
  platformOnly: true,
  filtered(db, caller, filter) {
    let accounts = db.selectFrom('ledger_accounts as a').where(isFirstRow('a'));
    const { balance: sign, cardNumber, phone, siteId, agentId } = filter;
    if (sign !== undefined) accounts = accounts.where(sql<boolean>`${balance} ${signs[sign]} 0`);
    if (cardNumber !== undefined) {
      accounts = accounts.where(sql<boolean>`a.key in (${keysOfCards(caller, cardNumber.toUpperCase(), 'part')})`);
    }
    if (phone !== undefined) {
      accounts = accounts.where(sql<boolean>`a.key in (${keysOfCustomers(caller, phone, 'part')})`);
    }
    if (siteId !== undefined) accounts = accounts.where('a.key', 'in', keysOf('site', siteId));
    if (agentId !== undefined) accounts = accounts.where('a.key', 'in', keysOf('agent', agentId));
    const kinds = kindsOf(filter);
    if (kinds === null) return accounts;
    const [first, ...others] = kinds.map((kind) => accounts.where('a.prefix', '=', chart[kind].prefix));
    return first === undefined ? null : [first, ...others];
  },
  id: sql`a.id`,
  sorts: { id: sql`a.id` },
  sums: { balanceFen: balance },
  rows: (db) =>
    db.selectFrom('ledger_accounts as a').select([partyOf('a').as('party'), balance.$castTo<Fen>().as('balanceFen')]),
  toItem: ({ party, balanceFen }) => ({ ...toAccount(toParty(party)), balanceFen }),
  neverShrinks: true,
});

type MovementRow = {
  transferId: TransferId;
  line: number;
  reason: TransferReason;
  createdAt: Instant;
  changeFen: Fen;
  balanceAfterFen: Fen;
  other: AccountParty;
};

/** An account by the id of any of its rows. */
export async function findLedgerAccount(
  db: Kysely<Tables>,
  id: AccountId,
): Promise<AnswerOf<typeof getLedgerAccount> | null> {
  const account = await db
    .selectFrom('ledger_accounts as a')
    .select([partyOf('a').as('party'), 'a.key'])
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (account === undefined) return null;
  // One statement, so that balance and postings are of one moment.
  const { rows } = await sql<{ balanceFen: Fen } & { [Name in keyof MovementRow]: MovementRow[Name] | null }>`
    with own as (select id, balance_fen from ledger_accounts where key = ${account.key}),
    newest as (
      select moved.* from (
        select given.* from own cross join lateral (
          select transfer_id, line, to_account_id as other_id, -amount_fen as change from ledger_postings
           where from_account_id = own.id order by transfer_id desc, line desc limit ${accountMovementsMax + 1}) given
        union all
        select taken.* from own cross join lateral (
          select transfer_id, line, from_account_id, amount_fen from ledger_postings
           where to_account_id = own.id order by transfer_id desc, line desc limit ${accountMovementsMax + 1}) taken) moved
       order by transfer_id desc, line desc limit ${accountMovementsMax + 1})
    select kept.balance_fen as "balanceFen", n.transfer_id as "transferId", n.line, t.reason,
           t.created_at as "createdAt", n.change as "changeFen", ${partyOf('o')} as other,
           (kept.balance_fen - coalesce(sum(n.change) over (
             order by n.transfer_id desc, n.line desc rows between unbounded preceding and 1 preceding), 0))::bigint
             as "balanceAfterFen"
      from (select sum(balance_fen)::bigint as balance_fen from own) kept
      left join newest n on true
      left join ledger_transfers t on t.id = n.transfer_id
      left join ledger_accounts o on o.id = n.other_id
     order by n.transfer_id desc, n.line desc`.execute(db);
  const movements = rows.flatMap((row): AccountMovement[] => {
    if (row.transferId === null) return [];
    const { balanceFen: _balance, ...movement } = row as MovementRow & { balanceFen: Fen };
    return [{ ...movement, createdAt: toIso(movement.createdAt), other: toParty(movement.other) }];
  });
  return {
    ...toAccount(toParty(account.party)),
    balanceFen: fen(rows[0]?.balanceFen ?? 0),
    movements: movements.slice(0, accountMovementsMax),
    hasMore: movements.length > accountMovementsMax,
  };
}

/** What all accounts of each kind hold together, in the order of the chart. */
export async function sumBalances(db: Kysely<Tables>, at: Instant): Promise<AnswerOf<typeof getLedgerBalances>> {
  const { rows } = await sql<{ prefix: string; accounts: number; balanceFen: Fen }>`
    select prefix, count(*) filter (where ${isFirstRow('a')})::int as accounts, sum(balance_fen)::bigint as "balanceFen"
      from ledger_accounts a group by prefix`.execute(db);
  const byPrefix = new Map(rows.map((row) => [row.prefix, row]));
  const kinds = accountKinds.flatMap((kind) => {
    const { accounts = 0, balanceFen = fen(0) } = byPrefix.get(chart[kind].prefix) ?? {};
    return accounts === 0 ? [] : [{ kind, accounts, balanceFen }];
  });
  return { kinds, sumFen: addFen(...rows.map(({ balanceFen }) => balanceFen)), at: toIso(at) };
}
