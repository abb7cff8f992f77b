import { decideAuthorization } from '@voltdeck/charging/charge/decide-authorization';
import { withoutPadding } from '@voltdeck/charging/chip-number';
import type { Authorization, CardState, CustomerState } from '@voltdeck/charging/states';
import { cardAccount, type Wallet } from '@voltdeck/ledger/account';
import { isBeyondDebtLimit } from '@voltdeck/ledger/debt';
import type { AgentId, CardId, CustomerId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { debtLimit, debtLimitFrom } from '../ledger/debt.ts';

/** Who would pay for a charge that is asked for with a card, or with the number of a charge placed in the console. */
export type Payer = {
  authorization: Authorization;
  cardId: CardId | null;
  customerId: CustomerId | null;
  /** Null when it is nobody's. */
  wallet: Wallet | null;
  availableFen: Fen;
  /** What is owed for earlier charges. */
  owedFen: Fen;
  expiresAt: Instant | null;
  /** Null when it is none that we know, or no card at all. */
  card: { number: string; physicalNumber: string; agentId: AgentId | null } | null;
};

/** Nobody we know, which may be told later. */
export const nobody: Payer = {
  authorization: 'unknown',
  cardId: null,
  customerId: null,
  wallet: null,
  availableFen: fen(0),
  owedFen: fen(0),
  expiresAt: null,
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

type Row = {
  card_id: CardId;
  number: string;
  physical_number: string;
  customer_id: CustomerId | null;
  state: CardState;
  customer_state: CustomerState | null;
  agent_id: AgentId | null;
  expires_at: Instant | null;
  balance_fen: Fen | null;
  owed_fen: Fen;
  debt_limit: string | null;
  charging: boolean;
};

/**
 * Whether a card may charge now. `cardNumber` is the printed or the physical number in capitals (an OCPP idTag is
 * compared without case, OCPP 1.6 section 7.28). A card pays for one charge at a time: with `lock`, inside a transaction,
 * two starts with one card wait for each other. `placedCount`: a charge that waits to begin counts as one, for stations
 * that are told to begin and do not ask again. `parallel` names a group of gun ports that one card charges together.
 */
export async function authorizeCard(
  db: Kysely<Tables>,
  cardNumber: string,
  at: Instant,
  {
    lock = false,
    placedCount = false,
    parallel,
  }: { lock?: boolean; placedCount?: boolean; parallel?: { stationId: StationId; key: string } } = {},
): Promise<Payer> {
  const unpadded = withoutPadding(cardNumber);
  if (lock) {
    // Apart, because a statement that waits for a row still sees the other tables as they were before it waited.
    await sql`
      select id from cards where number = ${cardNumber} or physical_number in (${cardNumber}, ${unpadded})
       order by id for update`.execute(db);
  }
  const states = placedCount ? sql`('placed', 'charging')` : sql`('charging')`;
  const apart =
    parallel === undefined
      ? sql``
      : sql`and (o.station_id <> ${parallel.stationId} or o.parallel_key is distinct from ${parallel.key})`;
  const { rows } = await sql<Row>`
    select c.id as card_id, c.number, c.physical_number, c.customer_id, c.agent_id, c.state, u.state as customer_state,
           c.expires_at, a.balance_fen, coalesce(-d.balance_fen, 0) as owed_fen,
           (select value from configs where key = ${debtLimit.key}) as debt_limit,
           exists (select 1 from orders o
                    where o.card_number in (c.number, c.physical_number) and o.state in ${states} ${apart}) as charging
      from cards c
      left join customers u on u.id = c.customer_id
      left join ledger_accounts a on a.key = 'card:' || c.id
      left join ledger_accounts d on d.key = 'receivable:card:' || c.id
     where c.number = ${cardNumber} or c.physical_number in (${cardNumber}, ${unpadded})
     order by c.number = ${cardNumber} desc, c.physical_number = ${cardNumber} desc
     limit 1`.execute(db);
  const row = rows[0];
  if (row === undefined) return nobody;
  return {
    authorization: decideAuthorization(
      {
        state: row.state,
        customerState: row.customer_state,
        expiresAt: row.expires_at,
        isCharging: row.charging,
        availableFen: row.balance_fen ?? fen(0),
        owesTooMuch: isBeyondDebtLimit(row.owed_fen, debtLimitFrom(row.debt_limit)),
      },
      at,
    ),
    cardId: row.card_id,
    customerId: row.customer_id,
    wallet: cardAccount(row.card_id),
    availableFen: row.balance_fen ?? fen(0),
    owedFen: row.owed_fen,
    expiresAt: row.expires_at,
    card: { number: row.number, physicalNumber: row.physical_number, agentId: row.agent_id },
  };
}
