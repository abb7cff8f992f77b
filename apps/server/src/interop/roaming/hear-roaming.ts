import type { PartnerOrderTotal } from '@voltdeck/charging/partner-charge';
import type { ComparedResult } from '@voltdeck/contract/roaming';
import { refusalOfCode } from '@voltdeck/tcec102/code-tables';
import { chargeStages, confirmResults } from '@voltdeck/tcec102/conversation';
import type { Message } from '@voltdeck/tcec102/messages/all';
import { checkedOrdersMax } from '@voltdeck/tcec102/messages/business';
import {
  compareOrders,
  energyStepWh,
  orderCheckAnswer,
  orderCheckOf,
  orderOf,
  partnerStatusOf,
} from '@voltdeck/tcec102/translate';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { type Trx, transact } from '../../database/transact.ts';
import type { Partner } from '../partner.ts';
import { beginRoaming, cancelRoaming, endRoaming, noteStatus } from './change-roaming.ts';
import { bySequence, lockRoaming, type RoamingRow } from './roaming-row.ts';
import { takeBill } from './settle-roaming.ts';

/** FailReason of a receipt: 1 for a charge that we do not know. */
const receipt = { taken: { SuccStat: 0, FailReason: 0 }, unknown: { SuccStat: 1, FailReason: 1 } } as const;

/** Does `work` with the charge that a partner names; null where it has none of that name. */
async function withCharge<Value>(
  db: Kysely<Tables>,
  partner: Partner,
  sequence: string,
  work: (trx: Trx, charge: RoamingRow) => Promise<Value>,
): Promise<Value | null> {
  const done = await transact(db, async (trx) => {
    const charge = await lockRoaming(trx, bySequence(partner.id, sequence));
    return ok(charge === null ? null : await work(trx, charge));
  });
  if (!done.ok) throw new Error(`a partner's message was refused: ${done.error.code}`);
  return done.value;
}

export async function hearStart(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'notification_start_charge_result', 'request'>,
  at: Instant,
): Promise<Message<'notification_start_charge_result', 'answer'>> {
  const { StartChargeSeq, StartChargeSeqStat, StartTime } = asked;
  const heard = await withCharge(db, partner, StartChargeSeq, async (trx, charge) => {
    switch (StartChargeSeqStat) {
      case chargeStages.charging:
        await beginRoaming(trx, charge, StartTime ?? at, at);
        break;
      case chargeStages.ended:
        if (charge.state === 'starting') await cancelRoaming(trx, charge, 'other', at);
        break;
      default:
        // It is still on its way.
        break;
    }
    return true;
  });
  return { StartChargeSeq, ...(heard === null ? receipt.unknown : receipt.taken) };
}

export async function hearStatus(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'notification_equip_charge_status', 'request'>,
  at: Instant,
): Promise<Message<'notification_equip_charge_status', 'answer'>> {
  const heard = await withCharge(db, partner, asked.StartChargeSeq, (trx, charge) =>
    noteStatus(trx, charge, partnerStatusOf(asked), at),
  );
  return { StartChargeSeq: asked.StartChargeSeq, SuccStat: heard === null ? 1 : 0 };
}

export async function hearStop(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'notification_stop_charge_result', 'request'>,
  at: Instant,
): Promise<Message<'notification_stop_charge_result', 'answer'>> {
  const { StartChargeSeq, StartChargeSeqStat, SuccStat, FailReason } = asked;
  const isUnderWay = StartChargeSeqStat === chargeStages.charging || StartChargeSeqStat === chargeStages.stopping;
  // A stop that failed because it had ended already is an end as well.
  const hasEnded = (SuccStat === 0 && !isUnderWay) || refusalOfCode('stop', FailReason) === 'already_stopped';
  const heard = await withCharge(db, partner, StartChargeSeq, async (trx, charge) => {
    if (hasEnded && charge.state === 'starting') await endRoaming(trx, await beginRoaming(trx, charge, at, at), at, at);
    else if (hasEnded) await endRoaming(trx, charge, at, at);
    return true;
  });
  return { StartChargeSeq, ...(heard === null ? receipt.unknown : receipt.taken) };
}

export async function hearOrder(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'notification_charge_order_info', 'request'>,
  at: Instant,
): Promise<Message<'notification_charge_order_info', 'answer'>> {
  const { StartChargeSeq, ConnectorID } = asked;
  const confirmed = await withCharge(db, partner, StartChargeSeq, (trx, charge) =>
    takeBill(trx, charge, orderOf(asked), at),
  );
  return { StartChargeSeq, ConnectorID, ConfirmResult: confirmed ?? confirmResults.unknown };
}

/**
 * Compares the charges of a stretch of time, by their ends, and keeps what was found with each of ours. Null where we
 * have more in it than one comparison may list.
 */
export async function hearCheck(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'check_charge_orders', 'request'>,
  at: Instant,
): Promise<Message<'check_charge_orders', 'answer'> | null> {
  const check = orderCheckOf(asked);
  const { rows: ours } = await sql<PartnerOrderTotal>`
    select sequence, energy_wh as "energyWh", amount_fen - refunded_fen - forgiven_fen as "amountFen"
      from roaming_charges
     where partner_id = ${partner.id} and state in ('completed', 'disputed')
       and ended_at >= to_timestamp(${check.from} / 1000.0) and ended_at < to_timestamp(${check.to} / 1000.0)
     order by sequence limit ${checkedOrdersMax + 1}`.execute(db);
  if (ours.length > checkedOrdersMax) return null;
  const disputes = compareOrders(ours, check.orders, energyStepWh(partner.profile));
  const found = new Map<string, ComparedResult>(disputes.map(({ sequence, reason }) => [sequence, reason]));
  const named = new Set([...ours, ...check.orders].map(({ sequence }) => sequence));
  const results = [...named].map((sequence) => ({ sequence, dispute: found.get(sequence) ?? null }));
  await sql`
    update roaming_charges c set checked_at = to_timestamp(${at} / 1000.0), dispute = coalesce(r.dispute, case when c.second_bill is not null then c.dispute end)
      from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r (sequence text, dispute text)
     where c.partner_id = ${partner.id} and c.sequence = r.sequence`.execute(db);
  return orderCheckAnswer(check, disputes, partner.profile);
}
