import { failReasonCode, stageCode } from '@voltdeck/tcec102/code-tables';
import type { PartnerKeys, RetCode } from '@voltdeck/tcec102/envelope';
import { retCodes } from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { chargeStatusOf, policyInfosOf, portStateOf, unsummableField } from '@voltdeck/tcec102/translate';
import { dayMs, type Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import { transact } from '../../database/transact.ts';
import type { Partner } from '../partner.ts';
import { findBySequence, readChargeStatus } from '../partner-charge-status.ts';
import { writePulledStates } from '../pull/write-pulled-sites.ts';
import { hearCheck, hearOrder, hearStart, hearStatus, hearStop } from '../roaming/hear-roaming.ts';
import { priceSlotsAt, refusalAtPort } from './answer-port.ts';
import { giveToken } from './give-token.ts';
import { startPartnerCharge } from './start-partner-charge.ts';
import { stopPartnerCharge } from './stop-partner-charge.ts';
import { tellStationStatus, tellStations, tellStatistics } from './tell-stations.ts';

/** A verified request and who sent it. */
export type PartnerRequest<Name extends InterfaceName> = {
  context: Context<'money'>;
  partner: Partner;
  keys: PartnerKeys;
  ownCode: string;
  asked: Message<Name, 'request'>;
  at: Instant;
};

/** A refusal by Ret, where the standard has no field for it. */
export type RetRefusal = { ret: RetCode; msg: string };

type Answering<Name extends InterfaceName> = (
  request: PartnerRequest<Name>,
) => Promise<Message<Name, 'answer'> | RetRefusal>;

/** What we serve to operators whose customers charge at our stations. */
export const served: { readonly [Name in InterfaceName]?: Answering<Name> } = {
  query_token: ({ context, partner, keys, asked, at }) => giveToken(context.database.db, partner, keys, asked, at),
  query_stations_info: ({ context, partner, ownCode, asked }) =>
    tellStations(context.database.db, partner, ownCode, asked),
  query_station_status: ({ context, partner, asked }) => tellStationStatus(context.database.db, partner, asked),
  async query_station_stats({ context, partner, ownCode, asked }) {
    const told = await tellStatistics(context.database.db, partner, ownCode, asked);
    return typeof told === 'string' ? { ret: retCodes.business, msg: told } : told;
  },
  async query_equip_auth({ context, partner, ownCode, asked }) {
    const refusal = await refusalAtPort(context.database.db, partner, asked.ConnectorID);
    return {
      EquipAuthSeq: asked.EquipAuthSeq,
      ConnectorID: asked.ConnectorID,
      ...outcome('auth', refusal),
      OperatorID: ownCode,
    };
  },
  async query_equip_business_policy({ context, partner, asked, at }) {
    const named = { EquipBizSeq: asked.EquipBizSeq, ConnectorID: asked.ConnectorID };
    const slots = await priceSlotsAt(context.database.db, partner, asked.ConnectorID, at);
    if (!slots.ok) return { ...named, ...outcome('policy', slots.error), SumPeriod: 0, PolicyInfos: [] };
    const infos = policyInfosOf(slots.value);
    if (!infos.ok) return { ...named, ...outcome('policy', 'price_missing'), SumPeriod: 0, PolicyInfos: [] };
    return { ...named, ...outcome('policy', null), SumPeriod: infos.value.length, PolicyInfos: infos.value };
  },
  async query_start_charge({ context, partner, asked }) {
    const { StartChargeSeq, ConnectorID } = asked;
    if (!StartChargeSeq.startsWith(partner.operatorId)) return { ret: retCodes.business, msg: 'StartChargeSeq' };
    const { refusal } = await startPartnerCharge(context, partner, { sequence: StartChargeSeq, portId: ConnectorID });
    return {
      StartChargeSeq,
      StartChargeSeqStat: stageCode(refusal === null ? 'starting' : 'ended'),
      ConnectorID,
      ...outcome('start', refusal),
    };
  },
  async query_equip_charge_status({ context, partner, asked, at }) {
    const { db } = context.database;
    const charge = await findBySequence(db, partner.id, asked.StartChargeSeq);
    if (charge === null) return { ret: retCodes.business, msg: 'StartChargeSeq' };
    return chargeStatusOf(await readChargeStatus(db, charge, at), partner.profile);
  },
  async query_stop_charge({ context, partner, asked }) {
    const { StartChargeSeq, ConnectorID } = asked;
    const { stage, refusal } = await stopPartnerCharge(context, partner, {
      sequence: StartChargeSeq,
      portId: ConnectorID,
    });
    return { StartChargeSeq, StartChargeSeqStat: stageCode(stage), ...outcome('stop', refusal) };
  },
};

/** The standard compares days; a partner that was away may compare a month at once. */
const checkedSpanMsMax = 31 * dayMs;

/** What operators at whose stations our customers charge tell us. */
export const heard: { readonly [Name in InterfaceName]?: Answering<Name> } = {
  query_token: served.query_token,
  async notification_stationStatus({ context, partner, asked, at }) {
    const known = await transact(context.database.db, async (trx) => {
      const count = await writePulledStates(trx, partner.id, [portStateOf(asked.ConnectorStatusInfo)], at);
      return ok(count);
    });
    if (!known.ok) return { ret: retCodes.busy, msg: 'busy' };
    // A port that it never showed us: sent again, it would still be unknown.
    return { Status: known.value === 0 ? 1 : 0 };
  },
  notification_start_charge_result: ({ context, partner, asked, at }) =>
    hearStart(context.database.db, partner, asked, at),
  notification_equip_charge_status: ({ context, partner, asked, at }) =>
    hearStatus(context.database.db, partner, asked, at),
  notification_stop_charge_result: ({ context, partner, asked, at }) =>
    hearStop(context.database.db, partner, asked, at),
  notification_charge_order_info: ({ context, partner, asked, at }) =>
    hearOrder(context.database.db, partner, asked, at),
  async check_charge_orders({ context, partner, asked, at }) {
    const spanMs = asked.EndTime - asked.StartTime;
    if (spanMs <= 0 || spanMs > checkedSpanMsMax) return { ret: retCodes.business, msg: 'EndTime' };
    const unsummable = unsummableField(asked);
    if (unsummable !== null) return { ret: retCodes.business, msg: unsummable };
    const compared = await hearCheck(context.database.db, partner, asked, at);
    return compared ?? { ret: retCodes.business, msg: 'EndTime' };
  },
};

/** SuccStat and FailReason of an act. */
function outcome(act: Parameters<typeof failReasonCode>[0], refusal: Parameters<typeof failReasonCode>[1] | null) {
  return refusal === null
    ? ({ SuccStat: 0, FailReason: 0 } as const)
    : { SuccStat: 1, FailReason: failReasonCode(act, refusal) };
}
