import type { AccountParty } from '@voltdeck/contract/books';
import { holdings, listHoldingAccounts } from '@voltdeck/contract/holdings';
import { accountKinds, chart } from '@voltdeck/ledger/chart';
import { parseIso, shanghaiDate } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import { balanceOf, isFirstRow, partyOf, toAccount, toParty } from '../books/party.ts';
import { listSource } from '../http/list-source.ts';
import { holdingOf } from './holdings.ts';

/** The balance of an account `a` now, or at the end of the day `d.day`. */
const balanceThen = sql<Fen>`(
  case when d.day is null then ${balanceOf('a')}
       when is_wallet_prefix(a.prefix) or a.prefix like 'receivable:%' then a.balance_fen - (
         select coalesce(sum(case when p.to_account_id = a.id then p.amount_fen else -p.amount_fen end), 0)
           from ledger_postings p join ledger_transfers t on t.id = p.transfer_id
          where (p.from_account_id = a.id or p.to_account_id = a.id)
            and t.created_at >= (d.day + 1)::timestamp at time zone 'Asia/Shanghai')
       else coalesce((select sum(change_fen) from ledger_days k where k.account = a.key and k.day <= d.day), 0)
            + coalesce(tail.change_fen, 0) end)::bigint`;

export const holdingAccountList = listSource({
  route: listHoldingAccounts,
  platformOnly: true,
  filtered(db, _caller, { holding, to }) {
    const until = to === undefined ? null : parseIso(to);
    const day = until === null ? null : shanghaiDate(until);
    const kinds = holding === undefined ? accountKinds : holding.flatMap((name) => [...holdings[name].kinds]);
    const prefixes = [...new Set(kinds)].map((kind) => chart[kind].prefix);
    return db
      .selectFrom('ledger_accounts as a')
      .innerJoin(sql<{ day: string | null }>`(select ${day}::date as day)`.as<'d'>('d'), (join) => join.onTrue())
      .leftJoin(
        sql<{ account: string; change_fen: number }>`(
          select account, sum(change_fen)::bigint as change_fen
            from ledger_tail()
           where day <= ${day}::date group by account)`.as<'tail'>('tail'),
        (join) => join.onRef('tail.account', '=', 'a.key'),
      )
      .where(isFirstRow('a'))
      .where('a.prefix', 'in', prefixes);
  },
  id: sql`a.id`,
  sorts: { id: sql`a.id` },
  shown: (filtered) =>
    filtered.select(['a.id', partyOf('a').$castTo<AccountParty>().as('party'), balanceThen.as('balanceFen')]),
  toItem: ({ party, balanceFen }) => {
    const account = toAccount(toParty(party));
    const holding = holdingOf.get(account.kind);
    if (holding === undefined) throw new Error(`accounts of the kind ${account.kind} are neither owed nor held`);
    return { ...account, accountId: account.id, holding, balanceFen };
  },
  neverShrinks: true,
});
