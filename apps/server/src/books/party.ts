import type { AccountParty } from '@voltdeck/contract/books';
import { parseAccountKey } from '@voltdeck/ledger/account';
import { type AccountKind, accountKinds, chart } from '@voltdeck/ledger/chart';
import type { AccountId } from '@voltdeck/units/id';
import { type RawBuilder, sql } from 'kysely';

type Owner = (typeof chart)[AccountKind]['owner'];

/** The prefixes of the accounts that records of this kind own. */
export function prefixesOwnedBy(owner: Owner): string[] {
  return accountKinds.flatMap((kind) => (chart[kind].owner === owner ? [chart[kind].prefix] : []));
}

const listed = (prefixes: readonly string[]) => sql.join(prefixes.map((prefix) => sql.lit(prefix)));

const sharedPrefixes = accountKinds.flatMap((kind) => (chart[kind].isShared ? [chart[kind].prefix] : []));

/**
 * An account that many transfers post to at once is several rows (migration 0017); the first stands for it. `alias` is a
 * row of `ledger_accounts`.
 */
export function isFirstRow(alias: string): RawBuilder<boolean> {
  const a = sql.ref(alias);
  return sql`(${a}.shard = 0 or not exists (
    select 1 from ledger_accounts f where f.key = ${a}.key and f.shard < ${a}.shard))`;
}

/** The balance of the whole account. */
export function balanceOf(alias: string): RawBuilder<number> {
  const a = sql.ref(alias);
  return sql`case when ${a}.prefix in (${listed(sharedPrefixes)})
    then (select sum(s.balance_fen)::bigint from ledger_accounts s where s.key = ${a}.key) else ${a}.balance_fen end`;
}

type StoredParty = Omit<AccountParty, 'kind' | 'channel'>;

/** An account with its owner as JSON, for `toParty`. It has no parameters. */
export function partyOf(alias: string): RawBuilder<StoredParty> {
  const a = sql.ref(alias);
  const owned = (owner: Owner) => sql`${a}.prefix in (${listed(prefixesOwnedBy(owner))})`;
  return sql`(
    select jsonb_build_object(
             'accountId', case when ${a}.shard = 0 then ${a}.id else (
               select f.id from ledger_accounts f where f.key = ${a}.key order by f.shard limit 1) end,
             'key', ${a}.key, 'cardId', cards.id, 'cardNumber', cards.number,
             'customerId', customers.id, 'customerPhone', customers.phone, 'nickname', customers.nickname,
             'siteId', sites.id, 'siteName', sites.name, 'agentId', agents.id, 'agentName', agents.name)
      from (select 1) one
      left join cards on cards.id = ${a}.owner_id and ${owned('card')}
      left join customers on customers.id = ${a}.owner_id and ${owned('customer')}
      left join sites on sites.id = ${a}.owner_id and ${owned('site')}
      left join agents on agents.id = ${a}.owner_id and ${owned('agent')})`;
}

/** @throws Error for a key that the chart of accounts does not know. */
export function toParty(stored: StoredParty): AccountParty {
  const account = parseAccountKey(stored.key);
  if (account === null) throw new Error(`the books have an account ${stored.key} that nobody knows`);
  return { ...stored, kind: account.kind, channel: account.kind === 'channel' ? account.owner : null };
}

/** As a row of its own, whose id is the account's. */
export function toAccount({ accountId, ...party }: AccountParty): Omit<AccountParty, 'accountId'> & { id: AccountId } {
  return { id: accountId, ...party };
}
