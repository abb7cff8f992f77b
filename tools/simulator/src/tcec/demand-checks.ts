import { chargeStages, orderDueMs, pollAfterMs, resultDueMs, statsDaysMax } from '@voltdeck/tcec102/conversation';
import { retCodes } from '@voltdeck/tcec102/envelope';
import { type StationInfo, stationIdsMax } from '@voltdeck/tcec102/messages/public';
import { doubtsOf, orderCheckOf, orderOf, priceSlotsOf } from '@voltdeck/tcec102/translate';
import { dayMs, instant, minuteMs, shanghaiDate } from '@voltdeck/units/instant';
import {
  type Check,
  expectAll,
  expectRet,
  failedAt,
  notRun,
  passed,
  saidIn,
  type Trial,
  type Verdict,
} from './check.ts';
import type { DemandSide } from './demand-side.ts';
import type { AnswerFault } from './entrance.ts';
import { envelopeChecks, type Probe, tokenChecks } from './envelope-checks.ts';

const pageSize = 20;
/** More pages than any joint test has: a server that never ends is found out. */
const pagesMax = 100;
const unknownPort = 'NOBODYS-PORT';
const foreignOperator = 'MA0NOBODY';
/** Notifications may be on their way while an answer is. */
const graceMs = 5_000;

const probe: Probe = {
  name: 'query_stations_info',
  request: () => ({ PageNo: 1, PageSize: 1 }),
  numberIn: /(?<="PageNo":)\d+/,
  needed: { name: 'query_equip_auth', body: '{"EquipAuthSeq":"MA0NOBODY202601010000000001"}' },
};

type Needs<What> = { ok: true; value: What } | { ok: false; verdict: Verdict };

/** Every site, asked for page by page once; single checks may come first. */
async function sitesOf(trial: Trial, side: DemandSide): Promise<Needs<readonly StationInfo[]>> {
  if (side.sites !== null) return { ok: true, value: side.sites };
  const sites: StationInfo[] = [];
  for (let pageNo = 1; pageNo <= pagesMax; pageNo += 1) {
    const reply = await trial.call('query_stations_info', { PageNo: pageNo, PageSize: pageSize });
    if (reply.answer === null) return { ok: false, verdict: expectRet(reply, retCodes.success) };
    sites.push(...reply.answer.StationInfos);
    if (pageNo >= reply.answer.PageCount) break;
  }
  side.sites = sites;
  return { ok: true, value: sites };
}

/** The gun port to charge at: the given one, or the first that may start. */
async function portOf(trial: Trial, side: DemandSide): Promise<Needs<string>> {
  if (side.charge !== null) return { ok: true, value: side.charge.portId };
  return freePortOf(trial, side);
}

async function freePortOf(trial: Trial, side: DemandSide): Promise<Needs<string>> {
  if (trial.settings.connectorId !== null) return { ok: true, value: trial.settings.connectorId };
  const sites = await sitesOf(trial, side);
  if (!sites.ok) return sites;
  const status = await statusOf(trial, sites.value);
  if (status.answer === null) return { ok: false, verdict: expectRet(status, retCodes.success) };
  const ports = status.answer.StationStatusInfos.flatMap(({ ConnectorStatusInfos }) => ConnectorStatusInfos);
  // A charge begins only with a vehicle, and not with the one that has just charged.
  const isUsed = ({ ConnectorID }: { ConnectorID: string }) => side.used.has(ConnectorID);
  const port =
    ports.find((each) => each.Status === 2 && !isUsed(each)) ??
    ports.find((each) => each.Status === 1 && !isUsed(each)) ??
    ports.find(({ Status }) => Status === 2);
  return port === undefined ? { ok: false, verdict: notRun('no-port') } : { ok: true, value: port.ConnectorID };
}

function statusOf(trial: Trial, sites: readonly StationInfo[]) {
  const StationIDs = sites.slice(0, stationIdsMax).map(({ StationID }) => StationID);
  return trial.call('query_station_status', { StationIDs });
}

/** The checks of a server that has stations, made by an operator whose customers charge there. */
export function demandChecks(side: DemandSide): readonly Check[] {
  return [
    ...tokenChecks(probe),
    ...siteChecks(side),
    ...portChecks(side),
    ...chargeChecks(side),
    ...envelopeChecks(probe),
    ...repetitionChecks(side),
  ];
}

function siteChecks(side: DemandSide): readonly Check[] {
  return [
    {
      id: 'stations.all',
      async run(trial) {
        side.sites = null;
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const ids = sites.value.map(({ StationID }) => StationID);
        const ports = sites.value
          .flatMap(({ EquipmentInfos }) => EquipmentInfos)
          .flatMap(({ ConnectorInfos }) => ConnectorInfos)
          .map(({ ConnectorID }) => ConnectorID);
        const first = await trial.call('query_stations_info', {});
        const itemSize = first.answer?.ItemSize;
        return expectAll(
          ['StationInfos', ids.length > 0, 'StationInfos []'],
          ['StationID unique', new Set(ids).size === ids.length, ids],
          ['ConnectorID unique', new Set(ports).size === ports.length, ports],
          [`ItemSize ${ids.length}`, itemSize === ids.length, `ItemSize ${itemSize}`],
        );
      },
    },
    {
      id: 'stations.pages',
      async run(trial) {
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const count = sites.value.length;
        const one = await trial.call('query_stations_info', { PageNo: 1, PageSize: 1 });
        const beyond = await trial.call('query_stations_info', { PageNo: count + 1, PageSize: 1 });
        if (one.answer === null) return expectRet(one, retCodes.success);
        if (beyond.answer === null) return expectRet(beyond, retCodes.success);
        return expectAll(
          [`PageCount ${count}`, one.answer.PageCount === count, `PageCount ${one.answer.PageCount}`],
          ['1 StationInfo', one.answer.StationInfos.length === 1, String(one.answer.StationInfos.length)],
          [`PageNo ${count + 1}`, beyond.answer.PageNo === count + 1, `PageNo ${beyond.answer.PageNo}`],
          ['StationInfos []', beyond.answer.StationInfos.length === 0, String(beyond.answer.StationInfos.length)],
        );
      },
    },
    {
      id: 'stations.changed',
      async run(trial) {
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const count = sites.value.length;
        const [ever, now] = [
          await trial.call('query_stations_info', { LastQueryTime: instant(Date.UTC(2010, 0, 1)) }),
          await trial.call('query_stations_info', { LastQueryTime: instant(trial.now() + minuteMs) }),
        ];
        if (ever.answer === null) return expectRet(ever, retCodes.success);
        if (now.answer === null) return expectRet(now, retCodes.success);
        return expectAll(
          [`2010: ItemSize ${count}`, ever.answer.ItemSize === count, `ItemSize ${ever.answer.ItemSize}`],
          ['LastQueryTime + 1 min: ItemSize 0', now.answer.ItemSize === 0, `ItemSize ${now.answer.ItemSize}`],
        );
      },
    },
    {
      id: 'status.all',
      async run(trial) {
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const reply = await statusOf(trial, sites.value);
        if (reply.answer === null) return expectRet(reply, retCodes.success);
        const told = new Set(
          reply.answer.StationStatusInfos.flatMap(({ ConnectorStatusInfos }) => ConnectorStatusInfos).map(
            ({ ConnectorID }) => ConnectorID,
          ),
        );
        const missing = sites.value
          .slice(0, stationIdsMax)
          .flatMap(({ EquipmentInfos }) => EquipmentInfos)
          .flatMap(({ ConnectorInfos }) => ConnectorInfos)
          .filter(({ ConnectorID }) => !told.has(ConnectorID));
        const asked = Math.min(sites.value.length, stationIdsMax);
        return expectAll(
          [`Total ${asked}`, reply.answer.Total === asked, `Total ${reply.answer.Total}`],
          ['ConnectorStatusInfos', missing.length === 0, missing.map(({ ConnectorID }) => ConnectorID)],
        );
      },
    },
    {
      id: 'status.too-many',
      async run(trial) {
        const names = Array.from({ length: stationIdsMax + 1 }, (_, index) => `"${index}"`);
        const sent = { body: `{"StationIDs":[${names.join(',')}]}`, remark: 'too-many' };
        return expectRet(await trial.call('query_station_status', { StationIDs: [] }, sent), retCodes.business);
      },
    },
    {
      id: 'stats.day',
      async run(trial) {
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const [site] = sites.value;
        if (site === undefined) return notRun('no-port');
        const today = shanghaiDate(instant(trial.now()));
        const asked = { StationID: site.StationID, StartTime: today, EndTime: today };
        const reply = await trial.call('query_station_stats', asked);
        if (reply.answer === null) return expectRet(reply, retCodes.success);
        const { StationStats } = reply.answer;
        const sum = StationStats.EquipmentStatsInfos.reduce((so, each) => so + each.EquipmentElectricity, 0);
        const { length } = StationStats.EquipmentStatsInfos;
        return expectAll(
          [`StationID ${site.StationID}`, StationStats.StationID === site.StationID, StationStats.StationID],
          // Each figure is rounded to 0.1 kWh.
          [
            `StationElectricity ${sum} Wh`,
            Math.abs(sum - StationStats.StationElectricity) <= 100 * (length + 1),
            `${StationStats.StationElectricity} Wh`,
          ],
        );
      },
    },
    {
      id: 'stats.too-long',
      async run(trial) {
        const sites = await sitesOf(trial, side);
        if (!sites.ok) return sites.verdict;
        const [site] = sites.value;
        if (site === undefined) return notRun('no-port');
        const asked = {
          StationID: site.StationID,
          StartTime: shanghaiDate(instant(trial.now() - statsDaysMax * dayMs)),
          EndTime: shanghaiDate(instant(trial.now())),
        };
        return expectRet(await trial.call('query_station_stats', asked), retCodes.business);
      },
    },
  ];
}

function portChecks(side: DemandSide): readonly Check[] {
  return [
    {
      id: 'port.auth',
      async run(trial) {
        const port = await portOf(trial, side);
        if (!port.ok) return port.verdict;
        const asked = { EquipAuthSeq: trial.nextSequence(), ConnectorID: port.value };
        const reply = await trial.call('query_equip_auth', asked);
        if (reply.answer === null) return expectRet(reply, retCodes.success);
        const { EquipAuthSeq, ConnectorID, SuccStat, FailReason } = reply.answer;
        return expectAll(
          [`EquipAuthSeq ${asked.EquipAuthSeq}`, EquipAuthSeq === asked.EquipAuthSeq, EquipAuthSeq],
          [`ConnectorID ${port.value}`, ConnectorID === port.value, ConnectorID],
          ['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}, FailReason ${FailReason}`],
        );
      },
    },
    {
      id: 'port.auth-unknown',
      async run(trial) {
        const asked = { EquipAuthSeq: trial.nextSequence(), ConnectorID: unknownPort };
        const reply = await trial.call('query_equip_auth', asked);
        if (reply.answer === null) return expectRet(reply, retCodes.success, retCodes.business);
        const { SuccStat, FailReason } = reply.answer;
        return expectAll([
          'SuccStat 1',
          SuccStat === 1 && FailReason !== 0,
          `SuccStat ${SuccStat}, FailReason ${FailReason}`,
        ]);
      },
    },
    {
      id: 'port.policy',
      async run(trial) {
        const port = await portOf(trial, side);
        if (!port.ok) return port.verdict;
        const asked = { EquipBizSeq: trial.nextSequence(), ConnectorID: port.value };
        const reply = await trial.call('query_equip_business_policy', asked);
        if (reply.answer === null) return expectRet(reply, retCodes.success);
        const { SuccStat, FailReason, SumPeriod, PolicyInfos = [] } = reply.answer;
        const slots = priceSlotsOf(PolicyInfos);
        return expectAll(
          ['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}, FailReason ${FailReason}`],
          [`SumPeriod ${PolicyInfos.length}`, SumPeriod === PolicyInfos.length, `SumPeriod ${SumPeriod}`],
          ['StartTime 000000 < …', slots.ok, slots.ok ? '' : slots.error],
        );
      },
    },
    {
      id: 'port.policy-unknown',
      async run(trial) {
        const asked = { EquipBizSeq: trial.nextSequence(), ConnectorID: unknownPort };
        const reply = await trial.call('query_equip_business_policy', asked);
        if (reply.answer === null) return expectRet(reply, retCodes.success, retCodes.business);
        return expectAll(['SuccStat 1', reply.answer.SuccStat === 1, `SuccStat ${reply.answer.SuccStat}`]);
      },
    },
  ];
}

/** Begins a charge at a free port and waits until it runs; the verdict says what went wrong. */
async function beginCharge(trial: Trial, side: DemandSide): Promise<Needs<{ sequence: string; portId: string }>> {
  const port = await freePortOf(trial, side);
  if (!port.ok) return port;
  const sequence = trial.nextSequence();
  side.asked.add(sequence);
  const asked = { StartChargeSeq: sequence, ConnectorID: port.value, QRCode: '' };
  const reply = await trial.call('query_start_charge', asked);
  if (reply.answer === null) return { ok: false, verdict: expectRet(reply, retCodes.success) };
  const { StartChargeSeq, StartChargeSeqStat, ConnectorID, SuccStat, FailReason } = reply.answer;
  const { starting, charging } = chargeStages;
  const verdict = expectAll(
    ['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}, FailReason ${FailReason}`],
    [`StartChargeSeq ${sequence}`, StartChargeSeq === sequence, StartChargeSeq],
    [`ConnectorID ${port.value}`, ConnectorID === port.value, ConnectorID],
    [
      `StartChargeSeqStat ${starting} / ${charging}`,
      StartChargeSeqStat === starting || StartChargeSeqStat === charging,
      `StartChargeSeqStat ${StartChargeSeqStat}`,
    ],
  );
  if (verdict.kind !== 'passed') return { ok: false, verdict };
  side.used.add(port.value);
  return { ok: true, value: { sequence, portId: port.value } };
}

type Charging = { trial: Trial; sequence: string; portId: string };

/** A check of the charge that `charge.start` began. */
function ofCharge(side: DemandSide, id: Check['id'], run: (charging: Charging) => Promise<Verdict>): Check {
  return {
    id,
    run: async (trial) => (side.charge === null ? notRun('no-charge') : run({ trial, ...side.charge })),
  };
}

function chargeChecks(side: DemandSide): readonly Check[] {
  return [
    {
      id: 'charge.start',
      async run(trial) {
        const begun = await beginCharge(trial, side);
        if (!begun.ok) return begun.verdict;
        side.charge = begun.value;
        return passed;
      },
    },
    ofCharge(side, 'charge.start-again', async ({ trial, sequence, portId }) => {
      const reply = await trial.call('query_start_charge', {
        StartChargeSeq: sequence,
        ConnectorID: portId,
        QRCode: '',
      });
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { SuccStat, FailReason } = reply.answer;
      return expectAll(['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}, FailReason ${FailReason}`]);
    }),
    ofCharge(side, 'charge.port-taken', async ({ trial, portId }) => {
      const asked = { StartChargeSeq: trial.nextSequence(), ConnectorID: portId, QRCode: '' };
      side.asked.add(asked.StartChargeSeq);
      const reply = await trial.call('query_start_charge', asked);
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { SuccStat, FailReason } = reply.answer;
      return expectAll([
        'SuccStat 1',
        SuccStat === 1 && FailReason !== 0,
        `SuccStat ${SuccStat}, FailReason ${FailReason}`,
      ]);
    }),
    {
      id: 'charge.unknown-port',
      async run(trial) {
        const asked = { StartChargeSeq: trial.nextSequence(), ConnectorID: unknownPort, QRCode: '' };
        side.asked.add(asked.StartChargeSeq);
        // The first answer is lost on the way; the second must be the same as the third.
        await trial.call('query_start_charge', asked, { manner: 'cut-before-answer' });
        const second = await trial.call('query_start_charge', asked);
        const third = await trial.call('query_start_charge', asked);
        if (second.answer === null) return expectRet(second, retCodes.success, retCodes.business);
        const { SuccStat, FailReason } = second.answer;
        return expectAll(
          ['SuccStat 1', SuccStat === 1, `SuccStat ${SuccStat}`],
          [
            `FailReason ${FailReason}`,
            third.answer?.FailReason === FailReason,
            `FailReason ${third.answer?.FailReason}`,
          ],
        );
      },
    },
    {
      id: 'charge.foreign-sequence',
      async run(trial) {
        const port = await portOf(trial, side);
        if (!port.ok) return port.verdict;
        const StartChargeSeq = `${foreignOperator}${trial.nextSequence().slice(foreignOperator.length)}`;
        const reply = await trial.call('query_start_charge', { StartChargeSeq, ConnectorID: port.value, QRCode: '' });
        if (reply.answer === null) return expectRet(reply, retCodes.business);
        return expectAll(['Ret 4004 / SuccStat 1', reply.answer.SuccStat === 1, `SuccStat ${reply.answer.SuccStat}`]);
      },
    },
    ofCharge(side, 'charge.start-result', async ({ trial, sequence, portId }) => {
      const heard = await trial.hear(
        'notification_start_charge_result',
        ({ StartChargeSeq }) => StartChargeSeq === sequence,
        resultDueMs,
      );
      if (heard === null) return failedAt('notification_start_charge_result ≤ 50 s', 'nothing');
      const { StartChargeSeqStat, ConnectorID } = heard.asked;
      return expectAll(
        [
          'StartChargeSeqStat 2',
          StartChargeSeqStat === chargeStages.charging,
          `StartChargeSeqStat ${StartChargeSeqStat}`,
        ],
        [`ConnectorID ${portId}`, ConnectorID === portId, ConnectorID],
      );
    }),
    ofCharge(side, 'charge.port-state', async ({ trial, portId }) => {
      const heard = await trial.hear(
        'notification_stationStatus',
        ({ ConnectorStatusInfo }) => ConnectorStatusInfo.ConnectorID === portId && ConnectorStatusInfo.Status === 3,
        resultDueMs,
      );
      return heard === null ? failedAt('notification_stationStatus, Status 3', 'nothing') : passed;
    }),
    ofCharge(side, 'charge.status', async ({ trial, sequence, portId }) => {
      const reply = await trial.call('query_equip_charge_status', { StartChargeSeq: sequence });
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { StartChargeSeq, StartChargeSeqStat, ConnectorID } = reply.answer;
      return expectAll(
        [`StartChargeSeq ${sequence}`, StartChargeSeq === sequence, StartChargeSeq],
        [`ConnectorID ${portId}`, ConnectorID === portId, ConnectorID],
        [
          'StartChargeSeqStat 2',
          StartChargeSeqStat === chargeStages.charging,
          `StartChargeSeqStat ${StartChargeSeqStat}`,
        ],
      );
    }),
    {
      id: 'charge.status-unknown',
      async run(trial) {
        const reply = await trial.call('query_equip_charge_status', { StartChargeSeq: trial.nextSequence() });
        if (reply.answer === null) return expectRet(reply, retCodes.business);
        const { StartChargeSeqStat } = reply.answer;
        const isUnknown = StartChargeSeqStat === chargeStages.unknown;
        return expectAll(['Ret 4004 / StartChargeSeqStat 5', isUnknown, `StartChargeSeqStat ${StartChargeSeqStat}`]);
      },
    },
    ofCharge(side, 'charge.status-push', async ({ trial, sequence }) => {
      const heard = await trial.hear(
        'notification_equip_charge_status',
        ({ StartChargeSeq }) => StartChargeSeq === sequence,
        pollAfterMs.start + graceMs,
      );
      if (heard === null) return failedAt('notification_equip_charge_status ≤ 60 s', 'nothing');
      const { StartChargeSeqStat, TotalPower } = heard.asked;
      return expectAll(
        [
          'StartChargeSeqStat 2',
          StartChargeSeqStat === chargeStages.charging,
          `StartChargeSeqStat ${StartChargeSeqStat}`,
        ],
        ['TotalPower ≥ 0', TotalPower >= 0, String(TotalPower)],
      );
    }),
    ofCharge(side, 'charge.stop', async ({ trial, sequence, portId }) => {
      const reply = await trial.call('query_stop_charge', { StartChargeSeq: sequence, ConnectorID: portId });
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { SuccStat, FailReason, StartChargeSeqStat } = reply.answer;
      const { stopping, ended } = chargeStages;
      return expectAll(
        ['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}, FailReason ${FailReason}`],
        [
          'StartChargeSeqStat 3 / 4',
          StartChargeSeqStat === stopping || StartChargeSeqStat === ended,
          `StartChargeSeqStat ${StartChargeSeqStat}`,
        ],
      );
    }),
    ofCharge(side, 'charge.stop-result', async ({ trial, sequence }) => {
      const heard = await trial.hear(
        'notification_stop_charge_result',
        ({ StartChargeSeq }) => StartChargeSeq === sequence,
        resultDueMs,
      );
      if (heard === null) return failedAt('notification_stop_charge_result ≤ 50 s', 'nothing');
      const { StartChargeSeqStat, SuccStat } = heard.asked;
      return expectAll(
        ['StartChargeSeqStat 4', StartChargeSeqStat === chargeStages.ended, `StartChargeSeqStat ${StartChargeSeqStat}`],
        ['SuccStat 0', SuccStat === 0, `SuccStat ${SuccStat}`],
      );
    }),
    ofCharge(side, 'charge.order', async ({ trial, sequence, portId }) => {
      const heard = await trial.hear(
        'notification_charge_order_info',
        ({ StartChargeSeq }) => StartChargeSeq === sequence,
        orderDueMs,
      );
      if (heard === null) return failedAt('notification_charge_order_info ≤ 150 s', 'nothing');
      const order = orderOf(heard.asked);
      const doubts = doubtsOf(order);
      return expectAll(
        [`ConnectorID ${portId}`, order.portId === portId, order.portId],
        ['StartTime ≤ EndTime, TotalMoney = Σ', doubts.length === 0, doubts.join(', ')],
        ['StopReason 1', heard.asked.StopReason === 1, `StopReason ${heard.asked.StopReason}`],
        ['ConfirmResult 0', side.orders.has(sequence), 'ConfirmResult 1'],
      );
    }),
    ofCharge(side, 'charge.status-after', async ({ trial, sequence }) => {
      const order = side.orders.get(sequence);
      if (order === undefined) return notRun('no-order');
      const reply = await trial.call('query_equip_charge_status', { StartChargeSeq: sequence });
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { StartChargeSeqStat, TotalPower, TotalMoney } = reply.answer;
      return expectAll(
        ['StartChargeSeqStat 4', StartChargeSeqStat === chargeStages.ended, `StartChargeSeqStat ${StartChargeSeqStat}`],
        [`TotalPower ${order.energyWh} Wh`, TotalPower === order.energyWh, `${TotalPower} Wh`],
        [`TotalMoney ${order.amountFen} fen`, TotalMoney === order.amountFen, `${TotalMoney} fen`],
      );
    }),
    ofCharge(side, 'charge.stop-again', async ({ trial, sequence, portId }) => {
      const order = side.orders.get(sequence);
      if (order === undefined) return notRun('no-order');
      const reply = await trial.call('query_stop_charge', { StartChargeSeq: sequence, ConnectorID: portId });
      if (reply.answer === null) return expectRet(reply, retCodes.success);
      const { SuccStat, FailReason } = reply.answer;
      return expectAll([
        'SuccStat 1, FailReason 3',
        SuccStat === 1 && FailReason === 3,
        `SuccStat ${SuccStat}, FailReason ${FailReason}`,
      ]);
    }),
    ofCharge(side, 'charge.order-once', async ({ trial, sequence }) => {
      if (!side.orders.has(sequence)) return notRun('no-order');
      let count = 0;
      await trial.hear(
        'notification_charge_order_info',
        ({ StartChargeSeq }) => {
          if (StartChargeSeq === sequence) count += 1;
          return count > 1;
        },
        graceMs,
      );
      return expectAll(['1 × notification_charge_order_info', count === 1, `${count} ×`]);
    }),
    {
      id: 'charge.day',
      async run(trial) {
        const heard = await trial.hear('check_charge_orders', () => true, 0);
        if (heard === null) return notRun('not-asked');
        const { isSummed, orders } = orderCheckOf(heard.asked);
        return expectAll(
          ['OrderCount, TotalOrderPower, TotalOrderMoney = Σ', isSummed, `${orders.length} ChargeOrders`],
          ['TotalDisputeOrder 0', heard.exchange.answer.includes('"TotalDisputeOrder":0'), heard.exchange.answer],
        );
      },
    },
  ];
}

/** How long a repetition may take: the first of the standard's delays, and what a server needs besides. */
const repeatedWithinMs = 2 * orderDueMs;
const awayMs = 20_000;

/** Orders whose confirmation fails: each has a charge of its own, and takes minutes. */
function repetitionChecks(side: DemandSide): readonly Check[] {
  const ordersAgain = async (trial: Trial, disturb: () => Promise<void> | void): Promise<Verdict> => {
    const begun = await beginCharge(trial, side);
    if (!begun.ok) return begun.verdict;
    const { sequence, portId } = begun.value;
    const started = await trial.hear(
      'notification_start_charge_result',
      ({ StartChargeSeq }) => StartChargeSeq === sequence,
      resultDueMs,
    );
    if (started === null) return failedAt('notification_start_charge_result ≤ 50 s', 'nothing');
    await disturb();
    const stopped = await trial.call('query_stop_charge', { StartChargeSeq: sequence, ConnectorID: portId });
    if (stopped.answer?.SuccStat !== 0) return failedAt('SuccStat 0', saidIn(stopped));
    const isOurs = ({ StartChargeSeq }: { StartChargeSeq: string }) => StartChargeSeq === sequence;
    const first = await trial.hear('notification_charge_order_info', isOurs, orderDueMs);
    if (first !== null && (await first.isAnswered)) return passed;
    const told = await trial.hear(
      'notification_charge_order_info',
      (asked, { fault }) => isOurs(asked) && fault === null,
      repeatedWithinMs,
    );
    return told === null ? failedAt('notification_charge_order_info ×2', 'nothing') : passed;
  };
  const after = (id: Check['id'], fault: AnswerFault): Check => ({
    id,
    isSlow: true,
    async run(trial) {
      try {
        return await ordersAgain(trial, () => trial.entrance.misbehave('notification_charge_order_info', fault));
      } finally {
        trial.entrance.behave('notification_charge_order_info');
      }
    },
  });
  return [
    after('order.again-after-500', 'http-500'),
    after('order.again-after-silence', 'silence'),
    after('order.again-after-cut', 'cut-in-answer'),
    after('order.again-after-slow', 'slow'),
    after('order.again-after-busy', 'busy'),
    {
      id: 'order.again-after-absence',
      isSlow: true,
      run: (trial) =>
        ordersAgain(trial, () => {
          trial.entrance.stayAway(true);
          setTimeout(() => trial.entrance.stayAway(false), awayMs / trial.settings.hurry);
        }),
    },
  ];
}
