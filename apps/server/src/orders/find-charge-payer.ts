import { moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import type { ChargePayer } from '@voltdeck/contract/orders';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId, CustomerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { say } from '../http/say.ts';
import { findGroupPayer } from './group-payer.ts';

/**
 * Who would pay for a charge of a customer at a gun port now. A choice of what to pay for may need more than the cheapest
 * one, which is looked at here; the start looks at what is chosen.
 */
export async function findChargePayer(
  db: Kysely<Tables>,
  { connectorId, customerId }: { connectorId: ConnectorId; customerId: CustomerId },
  language: Language,
  at: Instant,
): Promise<ChargePayer | null> {
  const port = await findPort(db, connectorId);
  if (port === undefined) return null;
  const { siteId, agentId, isFree } = port;
  const charge = { customerId, siteId, agentId, isFree, neededFen: neededFen(port.detail), at };
  const found = await findGroupPayer(db, charge, { lock: false });
  if (found === null) return { group: null };
  const { name, leftFen, payer } = found;
  if (payer.ok) return { group: { name, cannotPay: null, because: null, leftFen } };
  const { code, params } = payer.error;
  return {
    group: {
      name,
      cannotPay: code as NonNullable<NonNullable<ChargePayer['group']>['cannotPay']>,
      because: say(language, `error.${code}`, params),
      leftFen,
    },
  };
}

/** The same for a person at a desk, who starts charges of customers at the stations of their scope. */
export async function findPayerAtDesk(
  db: Kysely<Tables>,
  caller: Caller,
  { connectorId, customerPhone }: { connectorId: ConnectorId; customerPhone: string },
  at: Instant,
): Promise<Result<ChargePayer, ApiError>> {
  const port = await findPort(db, connectorId);
  if (port === undefined || !isInScope(caller, port.agentId)) return failed({ code: 'record.not_found' });
  // Nobody else starts charges of customers, and would learn who is in a group.
  if (caller.agents !== 'all') return ok({ group: null });
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('phone', '=', customerPhone)
    .where('state', '=', 'normal')
    .executeTakeFirst();
  const none = { group: null };
  if (customer === undefined) return ok(none);
  return ok((await findChargePayer(db, { connectorId, customerId: customer.id }, caller.language, at)) ?? none);
}

function findPort(db: Kysely<Tables>, connectorId: ConnectorId) {
  return db
    .selectFrom('connectors as c')
    .innerJoin('stations as s', 's.id', 'c.station_id')
    .leftJoin('tariffs as t', (join) => join.on(sql<boolean>`t.id = coalesce(s.wechat_tariff_id, s.card_tariff_id)`))
    .select(['s.site_id as siteId', 's.agent_id as agentId', 's.free as isFree', 't.detail'])
    .where('c.id', '=', connectorId)
    .executeTakeFirst();
}

function neededFen(detail: unknown): Fen {
  const choices = (detail as Tariff | null)?.prepayment?.choices ?? [];
  const [first, ...others] = choices.map(({ amountFen }) => amountFen);
  return first === undefined ? moneyLimits.startBalanceMinFen : fen(Math.min(first, ...others));
}
