import type { Dice } from './dice.ts';
import { dateTime } from './operator-envelope.ts';

/** Charges at the stations of another operator, as that operator's programmer would count and tell them. */

export const siteCode = 'RIVERSIDE';
export const portCodes: readonly string[] = Array.from({ length: 12 }, (_, index) => `PORT-${index + 1}`);

/** Prices in yuan per kWh, the same at any time of day. */
const prices = { ElecPrice: 0.6, SevicePrice: 0.7 };
export const policyInfos = [
  { StartTime: '000000', ...prices },
  { StartTime: '120000', ...prices },
];

/** What its station does with a start; `fails`: it accepts the start, and nothing begins. */
export type Plan =
  | { will: 'refuse' }
  | { will: 'fail'; atMs: number }
  | { will: 'charge'; fromMs: number; lastsMs: number; energyWh: number };

/** What the operator's process has on its disk. It is entered before anybody is told. */
export type StationEntry =
  | { kind: 'asked'; sequence: string; portCode: string; isNew: boolean; plan: Plan }
  | { kind: 'ended'; sequence: string; atMs: number; isByCustomer: boolean }
  /** The platform's answer to a result or a bill. */
  | { kind: 'heard'; sequence: string; name: string; answer: Record<string, unknown> };

const chargeMs = { min: 200, max: 1_500 };
const energyWhMax = 30_000;
/** How often a vehicle takes nothing, the station refuses a start, or accepts one that fails. */
const emptyShare = 0.15;
const refusedShare = 0.1;
const failedShare = 0.1;

export function planOf(chance: Dice, atMs: number): Plan {
  const outcome = chance.next();
  if (outcome < refusedShare) return { will: 'refuse' };
  const fromMs = atMs + chance.whole(0, 400);
  if (outcome < refusedShare + failedShare) return { will: 'fail', atMs: fromMs };
  const energyWh = chance.next() < emptyShare ? 0 : chance.whole(1, energyWhMax / 10) * 10;
  return { will: 'charge', fromMs, lastsMs: chance.whole(chargeMs.min, chargeMs.max), energyWh };
}

export type Charge = { sequence: string; portCode: string; plan: Plan & { will: 'charge' } };

function energyAt({ plan: { fromMs, lastsMs, energyWh } }: Charge, atMs: number): number {
  const share = Math.min(Math.max((atMs - fromMs) / lastsMs, 0), 1);
  return Math.floor((energyWh * share) / 10) * 10;
}

const feeFen = (energyWh: number, price: number) => Math.round((energyWh * price) / 10);
const yuan = (amountFen: number) => (amountFen / 100).toFixed(2);
const kwh = (energyWh: number) => (energyWh / 1_000).toFixed(2);

/** StartChargeSeqStat. */
export const stages = { starting: 1, charging: 2, ended: 4 } as const;

/** The body of query_equip_charge_status and its notification. */
export function statusOf(charge: Charge, nowMs: number, endedMs: number | null): object {
  const { sequence, portCode, plan } = charge;
  const atMs = endedMs ?? nowMs;
  const isBegun = atMs >= plan.fromMs;
  const energyWh = energyAt(charge, atMs);
  const [ElecMoney, SeviceMoney] = [feeFen(energyWh, prices.ElecPrice), feeFen(energyWh, prices.SevicePrice)];
  return {
    StartChargeSeq: sequence,
    StartChargeSeqStat: endedMs !== null ? stages.ended : isBegun ? stages.charging : stages.starting,
    ConnectorID: portCode,
    ConnectorStatus: endedMs === null && isBegun ? 3 : 2,
    CurrentA: 100,
    VoltageA: 400,
    Soc: 55,
    StartTime: dateTime(Math.min(plan.fromMs, atMs)),
    EndTime: dateTime(atMs),
    TotalPower: Number(kwh(energyWh)),
    ElecMoney: Number(yuan(ElecMoney)),
    SeviceMoney: Number(yuan(SeviceMoney)),
    TotalMoney: Number(yuan(ElecMoney + SeviceMoney)),
  };
}

/** The body of notification_charge_order_info: always the same for a charge that ended then. */
export function billOf(charge: Charge, { atMs, isByCustomer }: { atMs: number; isByCustomer: boolean }) {
  const { sequence, portCode, plan } = charge;
  const fromMs = Math.min(plan.fromMs, atMs);
  const energyWh = energyAt(charge, atMs);
  const halfMs = (fromMs + atMs) / 2;
  const halfWh = energyAt(charge, halfMs);
  const lines = [
    { fromMs, toMs: halfMs, energyWh: halfWh },
    { fromMs: halfMs, toMs: atMs, energyWh: energyWh - halfWh },
  ].map((line) => ({
    ...line,
    electricityFen: feeFen(line.energyWh, prices.ElecPrice),
    serviceFen: feeFen(line.energyWh, prices.SevicePrice),
  }));
  const electricityFen = lines.reduce((sum, line) => sum + line.electricityFen, 0);
  const serviceFen = lines.reduce((sum, line) => sum + line.serviceFen, 0);
  return {
    StartChargeSeq: sequence,
    ConnectorID: portCode,
    StartTime: dateTime(fromMs),
    EndTime: dateTime(atMs),
    TotalPower: Number(kwh(energyWh)),
    TotalElecMoney: Number(yuan(electricityFen)),
    TotalSeviceMoney: Number(yuan(serviceFen)),
    TotalMoney: Number(yuan(electricityFen + serviceFen)),
    StopReason: isByCustomer ? 1 : 2,
    SumPeriod: lines.length,
    ChargeDetails: lines.map((line) => ({
      DetailStartTime: dateTime(line.fromMs),
      DetailEndTime: dateTime(line.toMs),
      ...prices,
      DetailPower: Number(kwh(line.energyWh)),
      DetailElecMoney: Number(yuan(line.electricityFen)),
      DetailSeviceMoney: Number(yuan(line.serviceFen)),
    })),
  };
}
