import { timeLimits } from '@voltdeck/charging/charge/decide-time';
import { chargeAnswers, stageOf, testRunEndsAt } from '@voltdeck/charging/port-test-run';
import type { AbnormalRule, Authorization, StopReason } from '@voltdeck/charging/states';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { TestRun } from '@voltdeck/contract/port-test-runs';
import { wattHours } from '@voltdeck/units/energy';
import type { ConnectorId, OrderId } from '@voltdeck/units/id';
import { dayMs, instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';

function testRunRows(db: Kysely<Tables>, caller: Caller) {
  const query = db
    .selectFrom('test_runs as t')
    .innerJoin('orders as o', 'o.id', 't.order_id')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .innerJoin('connectors as c', 'c.id', 't.connector_id')
    .select([
      'o.id as orderId',
      'o.number as orderNumber',
      'o.state',
      'o.placed_at as placedAt',
      'o.begun_at as begunAt',
      'o.started_at as startedAt',
      'o.ended_at as endedAt',
      'o.meter_start_wh as meterStartWh',
      'o.energy_wh as energyWh',
      'o.stop_reason as stopReason',
      'o.stop_code as stopCode',
      sql<Authorization | null>`o.start_authorization`.as('authorization'),
      't.connector_id as connectorId',
      't.minutes',
      't.user_name as userName',
      't.answer',
      't.answered_at as answeredAt',
      't.stop_because as stopBecause',
      't.stop_asked_at as stopAskedAt',
      't.stop_answer as stopAnswer',
      'c.state as portState',
      'c.fault_code as faultCode',
      'c.fault_info as faultInfo',
      's.online',
      sql<AbnormalRule[]>`array(select rule from order_flags where order_id = o.id order by at, rule)`.as('flags'),
    ]);
  return scoped(query, caller, 'o.agent_id');
}

type Row = Awaited<ReturnType<ReturnType<typeof testRunRows>['execute']>>[number];

/** The latest test run of a gun port; `run` is null where there was none. Null when the port is not visible. */
export async function findTestRunOfPort(
  db: Kysely<Tables>,
  caller: Caller,
  connectorId: ConnectorId,
): Promise<{ run: TestRun | null } | null> {
  const ports = db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id');
  const port = await scoped(ports, caller, 'stations.agent_id')
    .select('connectors.id')
    .where('connectors.id', '=', connectorId)
    .executeTakeFirst();
  if (port === undefined) return null;
  const row = await testRunRows(db, caller)
    .where('t.connector_id', '=', connectorId)
    .orderBy('t.order_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { run: row === undefined ? null : await toTestRun(db, row) };
}

export async function findTestRun(db: Kysely<Tables>, caller: Caller, orderId: OrderId): Promise<TestRun | null> {
  const row = await testRunRows(db, caller).where('t.order_id', '=', orderId).executeTakeFirst();
  return row === undefined ? null : toTestRun(db, row);
}

async function toTestRun(db: Kysely<Tables>, row: Row): Promise<TestRun> {
  const { state, begunAt, endedAt, stopBecause, stopAskedAt } = row;
  const answer = row.answer as CommandOutcome | null;
  const read = await readMeter(db, row);
  const isCharging = state === 'charging';
  // The order's own figures are written some seconds later than its readings.
  const energyWh = isCharging ? wattHours(Math.max(row.energyWh, read.energyWh)) : row.energyWh;
  return {
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    orderState: state,
    stage: stageOf({ state, energyWh, answer, stopBecause }),
    connectorId: row.connectorId,
    minutes: row.minutes,
    userName: row.userName,
    askedAt: toIso(row.placedAt),
    waitsUntil: state === 'placed' ? toIso(instant(row.placedAt + timeLimits.placedMs)) : null,
    answer: answerOf(answer),
    answerMs: row.answeredAt === null ? null : Math.max(0, row.answeredAt - row.placedAt),
    begunAt: isoOrNull(begunAt),
    endsAt: begunAt === null ? null : toIso(testRunEndsAt({ ...row, begunAt })),
    endedAt: isoOrNull(endedAt),
    energyWh,
    powerW: isCharging ? read.powerW : null,
    peakPowerW: read.peakPowerW,
    stopReason: row.stopReason as StopReason | null,
    stopCode: row.stopCode,
    stop:
      stopBecause === null || stopAskedAt === null
        ? null
        : {
            because: stopBecause,
            askedAt: toIso(stopAskedAt),
            answer: answerOf(row.stopAnswer as CommandOutcome | null),
          },
    flags: row.flags,
    port: {
      state: row.online ? row.portState : 'offline',
      online: row.online,
      faultCode: row.faultCode,
      faultInfo: row.faultInfo,
    },
  };
}

/** A station's answer without the parts that no start or stop has. */
function answerOf(outcome: CommandOutcome | null): TestRun['answer'] {
  if (outcome === null) return null;
  const kind = chargeAnswers.find((known) => known === outcome.kind) ?? 'failed';
  const reason = outcome.kind === 'rejected' ? (outcome.reason ?? null) : null;
  const words =
    outcome.kind === 'station-error'
      ? [outcome.code, outcome.description].filter((part) => part !== '').join(': ')
      : null;
  return { kind, reason, words: words === '' ? null : words };
}

/** What the meter has said of the charge so far. A doubted reading is left out. */
async function readMeter(
  db: Kysely<Tables>,
  { orderId, placedAt, startedAt, meterStartWh }: Row,
): Promise<{ energyWh: number; powerW: number | null; peakPowerW: number | null }> {
  const from = instant(Math.min(placedAt, startedAt ?? placedAt) - dayMs);
  const { rows } = await sql<{
    first_wh: number | null;
    last_wh: number | null;
    power_w: number | null;
    peak_w: number | null;
  }>`
    select min(energy_wh) as first_wh, max(energy_wh) as last_wh, max(power_w) as peak_w,
           (array_agg(power_w order by at desc) filter (where power_w is not null))[1] as power_w
      from readings
     where order_id = ${orderId} and doubt is null and at >= to_timestamp(${from} / 1000.0)
       and at <= to_timestamp(${placedAt + 2 * dayMs} / 1000.0)`.execute(db);
  const [read] = rows;
  const lastWh = read?.last_wh ?? null;
  const startWh = meterStartWh ?? read?.first_wh ?? 0;
  return {
    energyWh: lastWh === null ? 0 : Math.max(0, lastWh - startWh),
    powerW: read?.power_w ?? null,
    peakPowerW: read?.peak_w ?? null,
  };
}
