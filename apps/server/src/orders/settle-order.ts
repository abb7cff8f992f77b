import { canSettleByHand } from '@voltdeck/charging/abilities';
import { billingByHand } from '@voltdeck/charging/charge/decide-settlement';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { settleOrder as route } from '@voltdeck/contract/orders';
import { billAsProposed } from '@voltdeck/contract/proposed-bill';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Bill } from '@voltdeck/tariffs/bill';
import { freeTariff } from '@voltdeck/tariffs/free-tariff';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, parseIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql, type Updateable } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { OrdersTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { tariffAt } from '../tariffs/tariff-at.ts';
import { handleFlags } from './abnormal/handle-flags.ts';
import { chargeOf, lockOrder, type OrderRow } from './order-row.ts';
import { storedProposal } from './queries.ts';
import { priceByHand, settleByHand } from './settle-charge.ts';
import { changeOrder } from './write-order.ts';

/**
 * A person closes a charge whose stop never arrived or that could not be priced, with the energy and end they
 * determined. Its flags are handled with it.
 */
export async function settleOrder(
  trx: Trx,
  caller: Caller,
  orderId: OrderId,
  body: BodyOf<typeof route>,
  now: Instant,
  how: 'settled' | 'accepted' = 'settled',
): Promise<Result<OrderRow | Waits, ApiError>> {
  const endedAt = parseIso(body.endedAt);
  const known = await trx.selectFrom('orders').select('agent_id').where('id', '=', orderId).executeTakeFirst();
  if (known === undefined || !isInScope(caller, known.agent_id)) return failed({ code: 'record.not_found' });
  const locked = await lockOrder(trx, orderId);
  const ability = canSettleByHand(locked);
  if (!ability.allowed) return failed({ code: ability.because as ApiError['code'] });
  if (endedAt === null || endedAt > now || (locked.started_at !== null && endedAt < locked.started_at)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'endedAt', code: 'invalid' }] });
  }
  const given = locked.tariff === null ? await findPresentTariff(trx, locked, now) : null;
  const order = given === null ? locked : { ...locked, tariff: given.tariff };
  if (order.tariff === null) return failed({ code: 'tariff.missing' });
  const before = { state: order.state, energyWh: order.energy_wh, amountFen: order.amount_fen };
  const { energyWh, reason } = body;
  const billing = billingByHand(chargeOf(order), { energyWh, endedAt });
  const proposed = await proposedBill(trx, order, { energyWh, endedAt });
  const priced = priceByHand(order.tariff as Tariff, billing, proposed);
  if (priced === null) return failed({ code: 'order.not_priceable' });
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'order_settlement',
      amountFen: priced.bill.amountFen,
      agentId: order.agent_id,
      subject: { kind: 'order', id: orderId, text: order.number },
      detail: { orderId, body, how },
      reason,
    },
    now,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const open = given === null ? order : await changeOrder(trx, order, { set: given.set, at: now });
  const closed = await settleByHand(trx, open, { billing, priced, userName: caller.userName, reason, now });
  const after = { state: closed.state, energyWh: closed.energy_wh, reason };
  await handleFlags(trx, caller, [orderId], { how, reason, at: now });
  await audit(trx, caller, now, { action: 'order.settle', recordKind: 'order', recordId: orderId, before, after });
  return ok(closed);
}

/** The bill that was proposed with exactly these figures; null where there is none or they differ. */
async function proposedBill(
  trx: Trx,
  { id }: OrderRow,
  byHand: { energyWh: number; endedAt: Instant },
): Promise<Bill | null> {
  const row = await trx.selectFrom('orders').select('proposal').where('id', '=', id).executeTakeFirstOrThrow();
  return billAsProposed(storedProposal(row.proposal), byHand);
}

type PresentTariff = { tariff: unknown; set: Updateable<OrdersTable> };

/**
 * The rule that the station of an order has now, for a charge for which it had none; null where it still has none, or
 * one of another agent.
 */
async function findPresentTariff(trx: Trx, order: OrderRow, at: Instant): Promise<PresentTariff | null> {
  const { free, id, kind, detail } = await trx
    .selectFrom('stations as s')
    .leftJoin('tariffs as t', (join) =>
      join
        .on('t.id', '=', tariffAt(at, 'card', sql.ref('s.card_tariff_id')))
        .on((or) => or.or([or('t.agent_id', 'is', null), or('t.agent_id', '=', order.agent_id)])),
    )
    .select(['s.free', 't.id', 't.kind', 't.detail'])
    .where('s.id', '=', order.station_id)
    .executeTakeFirstOrThrow();
  if (!free && id === null) return null;
  const tariff = free ? freeTariff : detail;
  const billingType = free ? freeTariff.kind : (kind ?? 'energy');
  return {
    tariff,
    set: { billing_type: billingType, tariff_id: free ? null : id, tariff: JSON.stringify(tariff) },
  };
}
