import { dice } from './dice.ts';
import { openBook } from './operator-book.ts';
import { dateTime } from './operator-envelope.ts';
import { callerOf, serveOperator, settingsOfProcess } from './operator-link.ts';
import {
  billOf,
  type Charge,
  type Plan,
  planOf,
  policyInfos,
  portCodes,
  type StationEntry,
  siteCode,
  stages,
  statusOf,
} from './station-operator-charge.ts';

/**
 * The other operator, at whose stations our customers charge, as a process of its own. What its stations do is in its
 * book, on the disk, before it is told; results and bills are told until they are answered, in any order, and some of
 * them again.
 */
const settings = settingsOfProcess();
const { operatorId, platformUrl, isSound } = settings;
const chance = dice(settings.seed);
const call = callerOf(settings);
const everyMs = 50;
/** Calls to the platform that get lost on their way, are cut off, or lose their answer. */
const lostShare = 0.4;
const tellAfterMsMax = 500;
/** Some wait for long, and are overtaken by what came later. */
const overtakenShare = 0.2;
const overtakenMsMax = 4_000;
const retryMsMax = 500;
const cutAfterMsMax = 40;
const repeatedShare = 0.3;
/** For how long the state of a charge that has ended is told. */
const lastStatesMs = 1_000;

type Known = { portCode: string; plan: Plan; ended: { atMs: number; isByCustomer: boolean } | null };
const starts = new Map<string, Known>();
/** Results and bills that the platform has answered. */
const heard = new Set<string>();
/** When each message is told next; `underway` while it is on its way. */
const due = new Map<string, number | 'underway'>();

const book = openBook<StationEntry>(settings.bookPath);
for (const entry of book.kept) take(entry);

function take(entry: StationEntry): void {
  switch (entry.kind) {
    case 'asked':
      if (entry.isNew) starts.set(entry.sequence, { portCode: entry.portCode, plan: entry.plan, ended: null });
      break;
    case 'ended': {
      const start = starts.get(entry.sequence);
      if (start !== undefined) start.ended = { atMs: entry.atMs, isByCustomer: entry.isByCustomer };
      break;
    }
    case 'heard':
      heard.add(`${entry.name} ${entry.sequence}`);
      break;
  }
}

function enter(entry: StationEntry): void {
  book.enter(entry);
  take(entry);
}

function chargeOf(sequence: string): { charge: Charge; known: Known } | null {
  const known = starts.get(sequence);
  if (known?.plan.will !== 'charge') return null;
  return { charge: { sequence, portCode: known.portCode, plan: known.plan }, known };
}

const isBusy = (portCode: string) =>
  [...starts.values()].some((start) => start.portCode === portCode && start.plan.will === 'charge' && !start.ended);
const done = { SuccStat: 0, FailReason: 0 };
const occupied = { SuccStat: 1, FailReason: 5 };

serveOperator(settings, chance, (name, asked) => {
  const { StartChargeSeq, ConnectorID } = asked;
  const sequence = String(StartChargeSeq);
  const portCode = String(ConnectorID);
  switch (name) {
    case 'query_stations_info':
      return { PageNo: 1, PageCount: 1, ItemSize: 1, StationInfos: [stationInfo()] };
    case 'query_station_status': {
      const ConnectorStatusInfos = portCodes.map((code) => ({ ConnectorID: code, Status: isBusy(code) ? 3 : 2 }));
      return { Total: 1, StationStatusInfos: [{ StationID: siteCode, ConnectorStatusInfos }] };
    }
    case 'query_equip_business_policy':
      return { EquipBizSeq: asked.EquipBizSeq, ConnectorID, ...done, SumPeriod: 2, PolicyInfos: policyInfos };
    case 'query_equip_auth':
      return { EquipAuthSeq: asked.EquipAuthSeq, ConnectorID, ...(isBusy(portCode) ? occupied : done) };
    case 'query_start_charge': {
      const isNew = !starts.has(sequence);
      const plan: Plan = isBusy(portCode) ? { will: 'refuse' } : planOf(chance, Date.now());
      enter({ kind: 'asked', sequence, portCode, isNew, plan });
      const isRefused = starts.get(sequence)?.plan.will === 'refuse';
      const StartChargeSeqStat = isRefused ? stages.ended : stages.starting;
      return { StartChargeSeq, StartChargeSeqStat, ConnectorID, ...(isRefused ? occupied : done) };
    }
    case 'query_equip_charge_status': {
      const found = chargeOf(sequence);
      return found === null ? 4004 : statusOf(found.charge, Date.now(), found.known.ended?.atMs ?? null);
    }
    case 'query_stop_charge': {
      const found = chargeOf(sequence);
      if (found === null) return { StartChargeSeq, StartChargeSeqStat: 5, SuccStat: 1, FailReason: 1 };
      if (found.known.ended !== null) {
        return { StartChargeSeq, StartChargeSeqStat: stages.ended, SuccStat: 1, FailReason: 3 };
      }
      enter({ kind: 'ended', sequence, atMs: Date.now(), isByCustomer: true });
      return { StartChargeSeq, StartChargeSeqStat: stages.ended, ...done };
    }
    default:
      return 4004;
  }
});

function stationInfo(): object {
  const place = {
    CountryCode: 'CN',
    AreaCode: '330106',
    Address: '1 River Road',
    StationLng: 120.13,
    StationLat: 30.26,
  };
  const port = { ConnectorType: 4, VoltageUpperLimits: 750, VoltageLowerLimits: 200, Current: 250 };
  const equipment = {
    EquipmentID: `${siteCode}-1`,
    EquipmentType: 1,
    Power: 360,
    ConnectorInfos: portCodes.map((ConnectorID) => ({ ConnectorID, ...port, Power: 360, NationalStandard: 2 })),
  };
  return {
    StationID: siteCode,
    OperatorID: operatorId,
    EquipmentOwnerID: operatorId,
    StationName: 'Riverside',
    ServiceTel: '400-000-0000',
    StationType: 1,
    StationStatus: 50,
    ParkNums: portCodes.length,
    Construction: 4,
    ...place,
    EquipmentInfos: [equipment],
  };
}

/** Everything that is to be told of a start by now. */
function messagesOf(
  sequence: string,
  { portCode, plan, ended }: Known,
  nowMs: number,
): { name: string; body: object }[] {
  const named = { StartChargeSeq: sequence, ConnectorID: portCode };
  switch (plan.will) {
    case 'refuse':
      return [];
    case 'fail': {
      if (nowMs < plan.atMs) return [];
      return [{ name: 'notification_start_charge_result', body: { ...named, StartChargeSeqStat: stages.ended } }];
    }
    case 'charge': {
      if (nowMs < plan.fromMs && ended === null) return [];
      const StartTime = dateTime(plan.fromMs);
      const begun = { ...named, StartChargeSeqStat: stages.charging, StartTime };
      const messages: { name: string; body: object }[] = [{ name: 'notification_start_charge_result', body: begun }];
      if (ended === null) return messages;
      const stopped = { ...named, StartChargeSeqStat: stages.ended, ...done };
      messages.push({ name: 'notification_stop_charge_result', body: stopped });
      messages.push({ name: 'notification_charge_order_info', body: billOf({ sequence, portCode, plan }, ended) });
      return messages;
    }
  }
}

/** A call over the failing link, which may double it. */
async function callFailing(name: string, body: object) {
  const fails = !isSound && chance.next() < lostShare ? chance.pick(['before', 'during', 'after'] as const) : null;
  if (fails === 'before') return null;
  const times = chance.next() < 0.2 ? 2 : 1;
  const answer = await call(platformUrl, name, body, {
    times,
    ...(fails === 'during' && { limitMs: chance.whole(1, cutAfterMsMax) }),
  });
  return fails === null ? answer : null;
}

async function tell(sequence: string, name: string, body: object): Promise<void> {
  const key = `${name} ${sequence}`;
  due.set(key, 'underway');
  const answer = await callFailing(name, body);
  due.set(key, Date.now() + chance.whole(everyMs, retryMsMax));
  if (answer?.ret !== 0 || answer.message === null) return;
  enter({ kind: 'heard', sequence, name, answer: answer.message });
  // Some are told again although they were answered.
  if (chance.next() < repeatedShare) heard.delete(key);
}

setInterval(() => {
  const nowMs = Date.now();
  for (const [sequence, known] of starts) {
    const { plan, ended } = known;
    if (plan.will === 'charge' && ended === null && nowMs >= plan.fromMs + plan.lastsMs) {
      enter({ kind: 'ended', sequence, atMs: nowMs, isByCustomer: false });
    }
    for (const { name, body } of messagesOf(sequence, known, nowMs)) {
      const key = `${name} ${sequence}`;
      const at = due.get(key);
      if (at === undefined) {
        due.set(key, nowMs + chance.whole(0, chance.next() < overtakenShare ? overtakenMsMax : tellAfterMsMax));
      }
      if (typeof at === 'number' && at <= nowMs && !heard.has(key)) void tell(sequence, name, body);
    }
    const isTold =
      plan.will === 'charge' && nowMs >= plan.fromMs && nowMs < (known.ended?.atMs ?? nowMs) + lastStatesMs;
    if (isTold && chance.next() < 0.2) {
      const status = statusOf({ sequence, portCode: known.portCode, plan }, nowMs, known.ended?.atMs ?? null);
      void callFailing('notification_equip_charge_status', status);
    }
  }
}, everyMs);
