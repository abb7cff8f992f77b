import type { PartnerRefusal } from '@voltdeck/charging/partner-charge';
import type { PartnerPriceSlot } from '@voltdeck/charging/partner-site';
import { refusalOfCode } from '@voltdeck/tcec102/code-tables';
import { startChargeSeq } from '@voltdeck/tcec102/conversation';
import { retCodes } from '@voltdeck/tcec102/envelope';
import { partnerStatusOf, priceSlotsOf } from '@voltdeck/tcec102/translate';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { CallFault, PartnerCaller, PartnerLine } from '../deliver/partner-caller.ts';

/** What a partner said to a question about one of its ports or our charges. `silent`: nobody knows what it did. */
export type Said<Value> =
  | { kind: 'said'; value: Value }
  | { kind: 'refused'; refusal: PartnerRefusal }
  | { kind: 'silent' };

/** A name of ours for a charge or a question: no other one has it. */
export async function nextSequence(db: Kysely<Tables>, ownCode: string, at: Instant): Promise<string> {
  const { rows } = await sql<{ number: number }>`select nextval('roaming_numbers')::integer as number`.execute(db);
  return startChargeSeq(ownCode, at, rows[0]?.number ?? 0);
}

export async function askPrices(
  caller: PartnerCaller,
  line: PartnerLine,
  sequence: string,
  portCode: string,
): Promise<Said<readonly PartnerPriceSlot[]>> {
  const asked = { EquipBizSeq: sequence, ConnectorID: portCode };
  const got = await caller.call(line, 'query_equip_business_policy', asked);
  if (got.kind === 'failed') return afterFault(got, 'price_missing');
  const { ConnectorID, SuccStat, FailReason, PolicyInfos = [] } = got.answer;
  if (ConnectorID !== portCode) return { kind: 'refused', refusal: 'price_missing' };
  if (SuccStat !== 0) return { kind: 'refused', refusal: refusalOfCode('policy', FailReason) };
  const slots = priceSlotsOf(PolicyInfos);
  return slots.ok ? { kind: 'said', value: slots.value } : { kind: 'refused', refusal: 'price_missing' };
}

/** Whether a charge may begin at a port now. Partners that do not know the question are asked to start. */
export async function askWhetherItMay(
  caller: PartnerCaller,
  line: PartnerLine,
  sequence: string,
  portCode: string,
): Promise<Said<null>> {
  const got = await caller.call(line, 'query_equip_auth', { EquipAuthSeq: sequence, ConnectorID: portCode });
  if (got.kind === 'failed') return got.ret === null ? { kind: 'silent' } : { kind: 'said', value: null };
  const { SuccStat, FailReason } = got.answer;
  return SuccStat === 0
    ? { kind: 'said', value: null }
    : { kind: 'refused', refusal: refusalOfCode('auth', FailReason) };
}

export async function askStart(
  caller: PartnerCaller,
  line: PartnerLine,
  charge: { sequence: string; portCode: string },
): Promise<Said<null>> {
  const asked = { StartChargeSeq: charge.sequence, ConnectorID: charge.portCode, QRCode: '' };
  const got = await caller.call(line, 'query_start_charge', asked);
  if (got.kind === 'failed') return afterFault(got, 'other');
  if (got.answer.StartChargeSeq !== charge.sequence) return { kind: 'silent' };
  const { SuccStat, FailReason } = got.answer;
  return SuccStat === 0
    ? { kind: 'said', value: null }
    : { kind: 'refused', refusal: refusalOfCode('start', FailReason) };
}

export async function askStop(
  caller: PartnerCaller,
  line: PartnerLine,
  charge: { sequence: string; portCode: string },
): Promise<Said<null>> {
  const asked = { StartChargeSeq: charge.sequence, ConnectorID: charge.portCode };
  const got = await caller.call(line, 'query_stop_charge', asked);
  if (got.kind === 'failed') return afterFault(got, 'other');
  if (got.answer.StartChargeSeq !== charge.sequence) return { kind: 'silent' };
  const { SuccStat, FailReason } = got.answer;
  return SuccStat === 0
    ? { kind: 'said', value: null }
    : { kind: 'refused', refusal: refusalOfCode('stop', FailReason) };
}

export async function askStatus(caller: PartnerCaller, line: PartnerLine, { sequence }: { sequence: string }) {
  const got = await caller.call(line, 'query_equip_charge_status', { StartChargeSeq: sequence });
  if (got.kind === 'failed') {
    // It answered, and does not know the charge.
    return got.ret === retCodes.business ? ({ kind: 'unknown' } as const) : ({ kind: 'silent' } as const);
  }
  // What it says of another charge says nothing of this one.
  if (got.answer.StartChargeSeq !== sequence) return { kind: 'silent' } as const;
  return { kind: 'said', value: partnerStatusOf(got.answer) } as const;
}

/** Who refused by a Ret did nothing; after a silence nobody knows. */
function afterFault({ ret }: CallFault, refusal: PartnerRefusal): Said<never> {
  const isRefusal = ret === retCodes.business || ret === retCodes.parameters || ret === retCodes.signature;
  return isRefusal || ret === retCodes.token ? { kind: 'refused', refusal } : { kind: 'silent' };
}
