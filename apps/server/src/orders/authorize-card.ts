import { decideAuthorization } from '@voltdeck/charging/charge/decide-authorization';
import { withoutPadding } from '@voltdeck/charging/chip-number';
import type { Authorization, CardState, CustomerState } from '@voltdeck/charging/states';
import { cardAccount, type Wallet } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import { type Parts, takeFrom } from '@voltdeck/ledger/parts';
import type { AgentId, CardId, CustomerId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { valueIn } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';
import { accountKey } from '../ledger/account-key.ts';
import { debtLimit } from '../ledger/debt.ts';

/** Who would pay for a charge requested with a card, or with the number of a charge placed in the console. */
export type Payer = {
  authorization: Authorization;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Null when it belongs to nobody. */
  wallet: Wallet | null;
  /** Free to spend, gifts included. */
  availableFen: Fen;
  /** The gifts in it. */
  giftFen: Fen;
  /** Debt from earlier charges. */
  owedFen: Fen;
  expiresAt: Instant | null;
  /** What one tap of the card pays for; null leaves it to the tariff. */
  tapAmountFen: Fen | null;
  /** The card shown has been replaced and was so, or was reported lost, when the charge began. Its successor is the payer. */
  isReplaced: boolean;
  /** Since when the card shown is replaced or, if earlier, lost; null where it has no successor. */
  endedAt: Instant | null;
  /** The card shown. Null when we do not know it, or none was shown. */
  card: { number: string; physicalNumber: string; agentId: AgentId | null } | null;
};

/** An unknown payer, who may be identified later. */
export const nobody: Payer = {
  authorization: 'unknown',
  cardId: null,
  customerId: null,
  wallet: null,
  availableFen: fen(0),
  giftFen: fen(0),
  owedFen: fen(0),
  expiresAt: null,
  tapAmountFen: null,
  isReplaced: false,
  endedAt: null,
  card: null,
};

/** The payer of an order whose money was held when it was placed. */
export function payerOfPlaced(order: {
  card_id: CardId | null;
  customer_id: CustomerId | null;
  balance_before_fen: Fen | null;
}): Payer {
  return {
    ...nobody,
    authorization: 'accepted',
    cardId: order.card_id,
    customerId: order.customer_id,
    availableFen: order.balance_before_fen ?? fen(0),
  };
}

/** The part of a payer's money that a hold of `amountFen` takes. */
export function holdOf({ availableFen, giftFen }: Payer, amountFen: Fen): Parts {
  return takeFrom({ paidFen: subtractFen(availableFen, giftFen), giftFen }, amountFen);
}

/**
 * What `payerFrom` selects: the numbers of the card shown, everything else of the card that stands in for it now.
 * `payer_ended_at` is since when the card shown is replaced or, if earlier, lost; null where it has no successor.
 */
export type PayerRow = {
  payer_card_id: CardId;
  payer_ended_at: Instant | null;
  payer_number: string;
  payer_physical_number: string;
  payer_customer_id: CustomerId | null;
  payer_card_state: CardState;
  payer_customer_state: CustomerState | null;
  payer_agent_id: AgentId | null;
  payer_expires_at: Instant | null;
  payer_tap_amount_fen: Fen | null;
  payer_paid_fen: Fen | null;
  payer_gift_fen: Fen | null;
  payer_owed_fen: Fen;
  payer_debt_limit: string | null;
  payer_charging: boolean;
};

/** For a subquery `p` of `payerFrom`. */
export const payerColumns =
  sql.raw(`p.payer_card_id, p.payer_ended_at, p.payer_number, p.payer_physical_number, p.payer_customer_id,
  p.payer_card_state, p.payer_customer_state, p.payer_agent_id, p.payer_expires_at, p.payer_tap_amount_fen, p.payer_paid_fen,
  p.payer_gift_fen, p.payer_owed_fen, p.payer_debt_limit, p.payer_charging`);

export type PayerOptions = { placedCount?: boolean; parallel?: { stationId: StationId; key: string } };
type AuthorizeOptions = PayerOptions & { lock?: boolean; startedAt?: Instant };

/**
 * Whether a card may charge now. `cardNumber` is the printed or the physical number in capitals (an OCPP idTag is
 * compared without case, OCPP 1.6 section 7.28). A card pays for one charge at a time: with `lock`, inside a
 * transaction, two starts with one card wait for each other. With `placedCount`, an order that has not begun counts as
 * a charge, for stations that begin on our request and do not ask again. `parallel` names a group of gun ports that one
 * card charges together. A card that has been replaced may not charge any more, but its successor pays for what it
 * charged; one that `startedAt` an earlier time counts as its successor. A card reported lost before it was replaced
 * counts as replaced since then: whoever found it must not charge at its owner's expense.
 */
export async function authorizeCard(
  db: Kysely<Tables>,
  cardNumber: string,
  at: Instant,
  { lock = false, startedAt = at, ...options }: AuthorizeOptions = {},
): Promise<Payer> {
  if (lock) await lockCard(db, cardNumber);
  const { rows } = await payerFrom(cardNumber, options).execute(db);
  return payerOfRow(rows[0], at, startedAt);
}

/**
 * OCPP 1.6 has no word for a vehicle that pays. Stations with plug and charge send its VIN as the idTag, some with "VIN"
 * before it, which is all that 20 characters leave room for. No printed card number has 17 characters.
 */
const vinTag = /^(?:VIN)?([A-HJ-NPR-Z0-9]{17})$/;

/** The vehicle that a tag names; null for a card's number. */
export function vinOfTag(tag: string): string | null {
  return vinTag.exec(tag)?.[1] ?? null;
}

/** Whether a card `s` has this number, or is the card of the vehicle that it names. */
function isCardOf(cardNumber: string): RawBuilder<boolean> {
  const vin = vinOfTag(cardNumber);
  const ofVehicle = vin === null ? sql`` : sql` or s.id = (select v.card_id from vehicles v where v.vin = ${vin})`;
  return sql`(s.number = ${cardNumber} or s.physical_number in (${cardNumber}, ${withoutPadding(cardNumber)})${ofVehicle})`;
}

/**
 * The card with this number, and the one that stands in for it. Separate from the read, because a statement that waits
 * for a row still sees the other tables as they were before.
 */
export async function lockCard(db: Kysely<Tables>, cardNumber: string): Promise<void> {
  type Locked = { successor_id: CardId | null };
  let { rows } = await sql<Locked>`
    select s.successor_id from cards s where ${isCardOf(cardNumber)} order by s.id for update`.execute(db);
  for (;;) {
    const successors = rows.flatMap(({ successor_id: id }) => (id === null ? [] : [id]));
    if (successors.length === 0) return;
    ({ rows } = await sql<Locked>`
      select successor_id from cards where id = any(${successors}::bigint[]) order by id for update`.execute(db));
  }
}

/** The card that stands in for a card `s` now. */
const presentCard = sql<CardId>`case when s.successor_id is null then s.id else (
  with recursive chain (id, successor_id) as (
    select s.id, s.successor_id
    union all select n.id, n.successor_id from chain join cards n on n.id = chain.successor_id)
  select id from chain where successor_id is null) end`;

/** The card with this number and its payer; no row where there is none. */
export function payerFrom(cardNumber: string, { placedCount = false, parallel }: PayerOptions): RawBuilder<PayerRow> {
  const states = placedCount ? sql`('placed', 'charging')` : sql`('charging')`;
  const apart =
    parallel === undefined
      ? sql``
      : sql`and (o.station_id <> ${parallel.stationId} or o.parallel_key is distinct from ${parallel.key})`;
  return sql<PayerRow>`
    select c.id as payer_card_id, (select least(s.lost_at, n.created_at) from cards n where n.id = s.successor_id) as payer_ended_at,
           s.number as payer_number, s.physical_number as payer_physical_number,
           c.customer_id as payer_customer_id, c.agent_id as payer_agent_id, c.state as payer_card_state,
           u.state as payer_customer_state, c.expires_at as payer_expires_at, c.tap_amount_fen as payer_tap_amount_fen, a.balance_fen as payer_paid_fen,
           g.balance_fen as payer_gift_fen,
           coalesce(-d.balance_fen, 0) as payer_owed_fen,
           (select value from configs where key = ${debtLimit.key}) as payer_debt_limit,
           exists (select 1 from orders o
                    where o.card_number in (c.number, c.physical_number, lpad(c.physical_number, 16, '0')) and o.state in ${states} ${apart})
             as payer_charging
      from cards s
      join cards c on c.id = ${presentCard}
      left join customers u on u.id = c.customer_id
      left join ledger_accounts a on a.key = ${accountKey('card', 'c.id')}
      left join ledger_accounts g on g.key = ${accountKey('card-gift', 'c.id')}
      left join ledger_accounts d on d.key = ${accountKey('card-receivable', 'c.id')}
     where ${isCardOf(cardNumber)}
     order by s.number = ${cardNumber} desc, s.physical_number = ${cardNumber} desc
     limit 1`;
}

/** `startedAt` is when the charge began that it would pay for. */
export function payerOfRow(row: PayerRow | undefined, at: Instant, startedAt: Instant): Payer {
  if (row === undefined) return nobody;
  const isReplaced = row.payer_ended_at !== null && startedAt >= row.payer_ended_at;
  const giftFen = row.payer_gift_fen ?? zeroFen;
  const availableFen = addFen(row.payer_paid_fen ?? zeroFen, giftFen);
  return {
    authorization: decideAuthorization(
      {
        state: isReplaced ? 'cancelled' : row.payer_card_state,
        customerState: row.payer_customer_state,
        expiresAt: row.payer_expires_at,
        isCharging: row.payer_charging,
        availableFen,
        owesTooMuch: isBeyondDebtLimit(row.payer_owed_fen, valueIn(debtLimit, row.payer_debt_limit)),
      },
      at,
    ),
    cardId: row.payer_card_id,
    customerId: row.payer_customer_id,
    wallet: cardAccount(row.payer_card_id),
    availableFen,
    giftFen,
    owedFen: row.payer_owed_fen,
    expiresAt: row.payer_expires_at,
    tapAmountFen: row.payer_tap_amount_fen,
    isReplaced,
    endedAt: row.payer_ended_at,
    card: { number: row.payer_number, physicalNumber: row.payer_physical_number, agentId: row.payer_agent_id },
  };
}
