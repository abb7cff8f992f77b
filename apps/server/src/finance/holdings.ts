import type { ApiError } from '@voltdeck/contract/errors';
import {
  type cashPlaces,
  type getHoldings,
  type Holding,
  type HoldingRow,
  type HoldingSide,
  holdingNames,
  holdings,
} from '@voltdeck/contract/holdings';
import type { AnswerOf } from '@voltdeck/contract/route';
import { parseAccountKey } from '@voltdeck/ledger/account';
import { type AccountKind, type Channel, chart } from '@voltdeck/ledger/chart';
import { type Instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Money that came in by these has yet to reach the bank. */
const placeOf: Readonly<Record<Channel, (typeof cashPlaces)[number]>> = {
  wechat: 'on_its_way',
  alipay: 'on_its_way',
  embedded: 'on_its_way',
  'front-desk': 'cash',
  'back-office': 'cash',
  bank: 'cash',
};

/** The row that accounts of a kind belong to. */
export const holdingOf = new Map<AccountKind, Holding>(
  holdingNames.flatMap((name) => holdings[name].kinds.map((kind): [AccountKind, Holding] => [kind, name])),
);

const walletPrefixes = new Map(
  Object.entries(chart).map(([kind, { prefix }]): [string, AccountKind] => [prefix, kind as AccountKind]),
);

/** The kind and, of accounts that are kept one by one, the channel of an entry of `ledger_days`. */
function kindOf(account: string): { kind: AccountKind; channel: Channel | null } {
  const kind = walletPrefixes.get(account);
  const parsed = kind === undefined ? parseAccountKey(account) : null;
  if (parsed !== null) return { kind: parsed.kind, channel: parsed.kind === 'channel' ? parsed.owner : null };
  if (kind === undefined) throw new Error(`the kept balances have an account ${account} that nobody knows`);
  return { kind, channel: null };
}

/**
 * What was owed and held at the end of a day in China, or is now: the kept changes up to that day and the transfers
 * that they do not hold yet.
 */
export async function findHoldings(
  db: Kysely<Tables>,
  { day }: { day?: string | undefined },
  at: Instant,
): Promise<Result<AnswerOf<typeof getHoldings>, ApiError>> {
  const today = shanghaiDate(at);
  const asked = day ?? today;
  if (asked > today) return failed({ code: 'finance.day_to_come', params: { day: asked } });
  const { rows } = await sql<{ account: string; balance_fen: Fen }>`
    select account, sum(change_fen)::bigint as balance_fen
      from (select account, change_fen from ledger_days where day <= ${asked}::date
            union all
            select account, change_fen
              from ledger_tail() where day <= ${asked}::date) c
     group by account`.execute(db);
  const sums = new Map<Holding, number>();
  const channels = new Map<Channel, number>();
  for (const { account, balance_fen: balanceFen } of rows) {
    const { kind, channel } = kindOf(account);
    const holding = holdingOf.get(kind);
    if (holding === undefined) throw new Error(`accounts of the kind ${kind} are neither owed nor held`);
    sums.set(holding, (sums.get(holding) ?? 0) + balanceFen);
    if (channel !== null) channels.set(channel, (channels.get(channel) ?? 0) - balanceFen);
  }
  const shown = holdingNames.map((holding): HoldingRow => {
    const { side } = holdings[holding];
    // What is held, or owed to us, is below zero in the books.
    const amountFen = fen((side === 'held' ? -1 : 1) * (sums.get(holding) ?? 0) + 0);
    return { holding, side, amountFen };
  });
  const sumOf = (of: HoldingSide) =>
    addFen(...shown.filter(({ side }) => side === of).map(({ amountFen }) => amountFen), zeroFen);
  const [owedFen, heldFen, ownFen] = [sumOf('owed'), sumOf('held'), sumOf('own')];
  return ok({
    day: asked,
    until: asked === today ? toIso(at) : null,
    rows: shown,
    channels: [...channels].map(([channel, amountFen]) => ({
      channel,
      place: placeOf[channel],
      amountFen: fen(amountFen),
    })),
    owedFen,
    heldFen,
    ownFen,
    differenceFen: subtractFen(subtractFen(heldFen, owedFen), ownFen),
    openCouponsFen: await openCoupons(db, asked),
  });
}

/**
 * What coupons that were given by the end of a day, and neither used nor stopped then, would take off at the most. A
 * percentage without a limit takes off what its budget has left; without a budget nobody can say, and it is not counted.
 */
async function openCoupons(db: Kysely<Tables>, day: string): Promise<Fen> {
  const end = sql`((${day} || 'T00:00:00+08:00')::timestamptz + interval '1 day')`;
  const { rows } = await sql<{ amount_fen: Fen }>`
    select coalesce(sum(least(most_fen, left_fen)), 0)::bigint as amount_fen from (
      select count(*) filter (where k.used_at is null or k.used_at >= ${end})
               * case c.kind when 'amount' then c.amount_fen else c.max_fen end as most_fen,
             c.budget_fen - coalesce(sum(k.amount_fen) filter (where k.used_at < ${end}), 0) as left_fen
        from customer_coupons k join coupons c on c.id = k.coupon_id
       where k.given_at < ${end} and (c.to_at is null or c.to_at >= ${end})
         and (c.stopped_at is null or c.stopped_at >= ${end})
       group by c.id) each_coupon`.execute(db);
  return rows[0]?.amount_fen ?? zeroFen;
}
