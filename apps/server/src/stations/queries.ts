import {
  connectorGroupOf,
  connectorStates,
  type GroundLockState,
  type ParkingBayState,
  type Protocol,
  type TariffState,
} from '@voltdeck/charging/states';
import {
  type Connector,
  type ConnectorFilter,
  listConnectors,
  type Rating,
  ratedCurrentOf,
  ratedVoltageOf,
} from '@voltdeck/contract/connectors';
import type { Language } from '@voltdeck/contract/languages';
import { listStations, type Station, type StationDetail } from '@voltdeck/contract/stations';
import { listUnknownStations } from '@voltdeck/contract/unknown-stations';
import type { ConnectorId, StationId, TariffId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, isoOrNull, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { withAgentsBelow } from '../caller/agents-below.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { portTally } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { contains, hasPart } from '../http/part-of-text.ts';
import { say } from '../http/say.ts';
import { qrTextOf } from './qr-text.ts';
import { tariffState } from './tariffs/station-tariff.ts';

/** The state of an offline station's ports is unknown, whatever it reported last. */
const shownState = sql<Connector['state']>`case when stations.online then connectors.state else 'offline' end`;

const statesOf = (wanted: ConnectorFilter) =>
  connectorStates.filter((state) => state === wanted || connectorGroupOf[state] === wanted);

/** Whether a port (of `connectors` joined to `stations`) is in one of the groups or states. */
function isOneOf(wanted: readonly ConnectorFilter[]): RawBuilder<boolean> {
  const states = wanted.filter((one) => one !== 'offline').flatMap(statesOf);
  const shown = sql<boolean>`(stations.online and connectors.state = any(${states}))`;
  return wanted.includes('offline') ? sql`(${shown} or not stations.online or connectors.state = 'offline')` : shown;
}

/** Ports of the station by group. */
const tally = sql<Station['connectors']>`(
  select ${portTally} from connectors where connectors.station_id = stations.id)`;

/** The latest charge is the one that was placed last, which an index gives. */
const lastUsedAt = sql<Instant | null>`(
  select coalesce(ended_at, started_at) from orders
   where orders.station_id = stations.id and state <> 'cancelled'
   order by placed_at desc, id desc limit 1)`;

function stationRows(db: Kysely<Tables>) {
  return db
    .selectFrom('stations')
    .innerJoin('sites', 'sites.id', 'stations.site_id')
    .leftJoin('agents', 'agents.id', 'stations.agent_id')
    .leftJoin('tariffs as card_tariffs', 'card_tariffs.id', 'stations.card_tariff_id')
    .leftJoin('tariffs as wechat_tariffs', 'wechat_tariffs.id', 'stations.wechat_tariff_id')
    .leftJoin('tariffs as running_tariffs', 'running_tariffs.id', 'stations.running_tariff_id')
    .select([
      'stations.id',
      'stations.number',
      'stations.name',
      'stations.type',
      'stations.equipment_type as equipmentType',
      'stations.protocol',
      'stations.site_id as siteId',
      'sites.name as siteName',
      'stations.custom_site as customSite',
      'stations.agent_id as agentId',
      'agents.name as agentName',
      'stations.enabled',
      'stations.free',
      'stations.online',
      'stations.last_seen_at as lastSeenAt',
      'stations.offline_at as offlineAt',
      'stations.activated_at as activatedAt',
      'stations.max_power_w as maxPowerW',
      'stations.voltage_v as voltageV',
      'stations.current_a as currentA',
      'stations.card_tariff_id as cardTariffId',
      'card_tariffs.name as cardTariffName',
      'stations.wechat_tariff_id as wechatTariffId',
      'wechat_tariffs.name as wechatTariffName',
      'stations.expires_on as expiresOn',
      'stations.imei',
      'stations.iccid',
      'stations.sim_expires_on as simExpiresOn',
      'stations.manufacturer',
      'stations.manufacturer_code as manufacturerCode',
      'stations.equipment_model as equipmentModel',
      'stations.produced_on as producedOn',
      'stations.firmware_version as firmwareVersion',
      'stations.sign_in as signIn',
      'stations.sign_in_networks as signInNetworks',
      'stations.running_tariff_version as runningVersion',
      'stations.running_tariff_id as runningTariffId',
      'running_tariffs.name as runningTariffName',
      'stations.running_tariff_at as runningAt',
      'stations.tariff_asked_at as tariffAskedAt',
      'stations.tariff_outcome as tariffOutcome',
      'stations.total_energy_wh as totalEnergyWh',
      'stations.created_at as createdAt',
    ])
    .select([
      sql<number>`(select count(*) from connectors where connectors.station_id = stations.id)`.as('connectorCount'),
      tally.as('connectors'),
      lastUsedAt.as('lastUsedAt'),
      tariffState.as('tariffState'),
    ]);
}

function toStation<
  Row extends { maxPowerW: number; online: boolean; createdAt: Instant } & Record<
    'lastSeenAt' | 'offlineAt' | 'activatedAt' | 'lastUsedAt',
    Instant | null
  > &
    RunningTariffColumns,
>({
  maxPowerW,
  offlineAt,
  tariffState: state,
  runningVersion,
  runningTariffId,
  runningTariffName,
  runningAt,
  tariffAskedAt,
  tariffOutcome,
  ...row
}: Row) {
  return {
    ...row,
    runningTariff:
      state === null
        ? null
        : {
            state,
            version: runningVersion,
            tariffId: runningTariffId,
            tariffName: runningTariffName,
            at: isoOrNull(runningAt),
            askedAt: isoOrNull(tariffAskedAt),
            outcome: tariffOutcome,
          },
    maxPowerKw: maxPowerW / 1000,
    lastSeenAt: isoOrNull(row.lastSeenAt),
    offlineSince: row.online ? null : isoOrNull(offlineAt),
    activatedAt: isoOrNull(row.activatedAt),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    createdAt: toIso(row.createdAt),
  };
}

type RunningTariffColumns = {
  tariffState: TariffState | null;
  runningVersion: string | null;
  runningTariffId: TariffId | null;
  runningTariffName: string | null;
  runningAt: Instant | null;
  tariffAskedAt: Instant | null;
  tariffOutcome: string | null;
};

export async function findStation(db: Kysely<Tables>, caller: Caller, id: StationId): Promise<Station | null> {
  const row = await scoped(stationRows(db), caller, 'stations.agent_id')
    .where('stations.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toStation(row);
}

export async function findStationDetail(
  db: Kysely<Tables>,
  caller: Caller,
  id: StationId,
): Promise<StationDetail | null> {
  const row = await scoped(stationRows(db), caller, 'stations.agent_id')
    .select([
      'stations.protocol_version as protocolVersion',
      'stations.reported_connectors as reportedConnectors',
      'stations.vendor',
      'stations.model',
      'stations.serial_number as serialNumber',
      'stations.booted_at as bootedAt',
      'stations.online_at as onlineAt',
      'stations.remote_address as remoteAddress',
    ])
    .where('stations.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const ports = await connectorRows(db, caller).where('stations.id', '=', id).orderBy('connectors.number').execute();
  const { bootedAt, onlineAt, ...rest } = row;
  return {
    ...toStation(rest),
    ports: ports.map(toConnector),
    bootedAt: isoOrNull(bootedAt),
    onlineSince: row.online ? isoOrNull(onlineAt) : null,
  };
}

/** Dates that have passed, or will within so many days of the calendar in China. */
function isBefore(column: 'expires_on' | 'sim_expires_on', at: Instant, days: number): RawBuilder<boolean> {
  return sql`${sql.ref(`stations.${column}`)} <= ${shanghaiDate(instant(at + days * dayMs))}::date`;
}

export const stationList = listSource({
  route: listStations,
  filtered(db, caller, filter, at) {
    let stations = scoped(db.selectFrom('stations'), caller, 'stations.agent_id');
    if (filter.number !== undefined) stations = stations.where(hasPart('stations.number', 'number', filter.number));
    if (filter.name !== undefined) stations = stations.where(hasPart('stations.name', 'name', filter.name));
    if (filter.type !== undefined) stations = stations.where('type', 'in', filter.type);
    if (filter.equipmentType !== undefined) stations = stations.where('equipment_type', 'in', filter.equipmentType);
    if (filter.siteId !== undefined) stations = stations.where('site_id', '=', filter.siteId);
    if (filter.agentId !== undefined) stations = stations.where('agent_id', '=', filter.agentId);
    if (filter.holderId !== undefined) {
      stations = stations.where(sql<boolean>`agent_id in (${withAgentsBelow(filter.holderId)})`);
    }
    if (filter.enabled !== undefined) stations = stations.where('enabled', '=', filter.enabled);
    if (filter.online !== undefined) stations = stations.where('online', '=', filter.online);
    if (filter.protocol !== undefined) stations = stations.where('protocol', 'in', filter.protocol);
    if (filter.free !== undefined) stations = stations.where(sql<boolean>`${filter.free ? sql`free` : sql`not free`}`);
    if (filter.activated !== undefined) {
      stations = stations.where('activated_at', filter.activated ? 'is not' : 'is', null);
    }
    const { expiresWithinDays, simExpiresWithinDays } = filter;
    if (expiresWithinDays !== undefined) stations = stations.where(isBefore('expires_on', at, expiresWithinDays));
    if (simExpiresWithinDays !== undefined) {
      stations = stations.where(isBefore('sim_expires_on', at, simExpiresWithinDays));
    }
    if (filter.tariffState !== undefined) {
      stations = stations.where(sql<boolean>`${tariffState} = any(${filter.tariffState})`);
    }
    if (filter.state !== undefined) {
      stations = stations.where(
        sql<boolean>`exists (select 1 from connectors
                              where connectors.station_id = stations.id and ${isOneOf(filter.state)})`,
      );
    }
    return stations;
  },
  id: sql`stations.id`,
  sorts: {
    number: sql`stations.number`,
    name: sql`stations.name collate "zh-x-icu"`,
    createdAt: sql`stations.created_at`,
    expiresOn: sql`stations.expires_on`,
    simExpiresOn: sql`stations.sim_expires_on`,
  },
  sometimesAbsent: ['expiresOn', 'simExpiresOn'],
  sums: { totalEnergyWh: sql`stations.total_energy_wh` },
  rows: stationRows,
  toItem: toStation,
});

function connectorRows(db: Kysely<Tables>, { agents }: Pick<Caller, 'agents'>) {
  return (
    db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id')
      .leftJoin('agents', 'agents.id', 'stations.agent_id')
      // A charge stays with the agent that it began with, also where the station has gone to another.
      .leftJoin('orders', (join) => {
        const charging = join
          .onRef('orders.connector_id', '=', 'connectors.id')
          .on('orders.state', '=', sql.lit('charging'));
        if (agents === 'all') return charging;
        return charging.on(sql<boolean>`orders.agent_id = any(${[...agents]}::bigint[])`);
      })
      .select([
        'connectors.id',
        'connectors.number',
        'connectors.name',
        'stations.id as stationId',
        'stations.number as stationNumber',
        'stations.name as stationName',
        'stations.type as stationType',
        'stations.equipment_type as equipmentType',
        'stations.protocol as stationProtocol',
        'stations.enabled as stationEnabled',
        'stations.online as stationOnline',
        'stations.offline_at as stationOfflineAt',
        'sites.id as siteId',
        'sites.name as siteName',
        'sites.state as siteState',
        'stations.agent_id as agentId',
        'agents.name as agentName',
        'connectors.state_at as stateAt',
        'connectors.fault_code as faultCode',
        'connectors.fault_info as faultInfo',
        'connectors.open',
        'connectors.bay_number as bayNumber',
        'connectors.kind',
        'connectors.national_standard as nationalStandard',
        'connectors.rated_voltage_min_v as ratedVoltageMinV',
        'connectors.rated_voltage_max_v as ratedVoltageMaxV',
        'connectors.rated_current_a as ratedCurrentA',
        'connectors.rated_power_w as ratedPowerW',
        'stations.voltage_v as stationVoltageV',
        'stations.current_a as stationCurrentA',
        'connectors.ground_lock as groundLockState',
        'connectors.parking_bay as parkingBay',
        'connectors.ground_lock_battery as groundLockBattery',
        'connectors.ground_lock_alarm as groundLockAlarm',
        'connectors.ground_lock_at as groundLockAt',
        'orders.id as orderId',
        'orders.number as orderNumber',
        'orders.power_w as powerW',
        'orders.soc_percent as socPercent',
      ])
      .select(shownState.as('state'))
  );
}

function toConnector<
  Row extends {
    stateAt: Instant | null;
    stationOfflineAt: Instant | null;
    stationOnline: boolean;
    stationNumber: string;
    number: number;
    groundLockState: GroundLockState | null;
    parkingBay: ParkingBayState | null;
    groundLockBattery: number | null;
    groundLockAlarm: string | null;
    groundLockAt: Instant | null;
  },
>({
  stateAt,
  stationOfflineAt,
  groundLockState,
  parkingBay,
  groundLockBattery,
  groundLockAlarm,
  groundLockAt,
  ...row
}: Row) {
  const since = row.stationOnline ? stateAt : (stationOfflineAt ?? stateAt);
  const groundLock =
    groundLockState === null || groundLockAt === null
      ? null
      : {
          state: groundLockState,
          bay: parkingBay,
          batteryPercent: groundLockBattery,
          alarm: groundLockAlarm,
          at: toIso(groundLockAt),
        };
  return { ...row, groundLock, stateSince: isoOrNull(since), qrText: qrTextOf(row.stationNumber, row.number) };
}

export async function findConnector(db: Kysely<Tables>, caller: Caller, id: ConnectorId): Promise<Connector | null> {
  const row = await scoped(connectorRows(db, caller), caller, 'stations.agent_id')
    .where('connectors.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toConnector(row);
}

/** Those of the ports that the caller may see, by the number of their station. */
export async function findConnectors(
  db: Kysely<Tables>,
  caller: Caller,
  ids: readonly ConnectorId[],
): Promise<Connector[]> {
  const rows = await scoped(connectorRows(db, caller), caller, 'stations.agent_id')
    .where(sql<boolean>`connectors.id = any(${ids})`)
    .orderBy('stations.number')
    .orderBy('connectors.number')
    .execute();
  return rows.map((row) => toConnector(row));
}

export const connectorList = listSource({
  route: listConnectors,
  filtered(db, caller, filter) {
    let ports = scoped(
      db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
      caller,
      'stations.agent_id',
    );
    if (filter.number !== undefined) ports = ports.where('connectors.number', '=', filter.number);
    if (filter.stationNumber !== undefined) {
      ports = ports.where(hasPart('stations.number', 'number', filter.stationNumber));
    }
    if (filter.name !== undefined) ports = ports.where(hasPart('connectors.name', 'name', filter.name));
    if (filter.stationId !== undefined) ports = ports.where('stations.id', '=', filter.stationId);
    if (filter.stationType !== undefined) ports = ports.where('stations.type', 'in', filter.stationType);
    if (filter.equipmentType !== undefined) {
      ports = ports.where('stations.equipment_type', 'in', filter.equipmentType);
    }
    if (filter.siteId !== undefined) ports = ports.where('stations.site_id', '=', filter.siteId);
    if (filter.agentId !== undefined) ports = ports.where('stations.agent_id', '=', filter.agentId);
    // Bay numbers have no index of their pieces: a port is written with every state that it reports.
    if (filter.bayNumber !== undefined) ports = ports.where(contains('connectors.bay_number', filter.bayNumber));
    if (filter.kind !== undefined) ports = ports.where('connectors.kind', 'in', filter.kind);
    if (filter.open !== undefined) ports = ports.where('connectors.open', '=', filter.open);
    if (filter.state !== undefined) ports = ports.where(isOneOf(filter.state));
    return ports;
  },
  // Ports of a station are made in the order of their numbers.
  id: sql`connectors.id`,
  sorts: { stationNumber: sql`stations.number`, stateSince: sql`connectors.state_at` },
  sometimesAbsent: ['stateSince'],
  rowsFor: (db, { caller }) => connectorRows(db, caller),
  toItem: (row) => toConnector(row),
  texts: {
    ratedVoltage: (port, language) => ratingText(ratedVoltageOf(port), language),
    ratedCurrent: (port, language) => ratingText(ratedCurrentOf(port), language),
  },
});

function ratingText(rating: Rating, language: Language): string | null {
  if (rating === null) return null;
  return rating.isOfStation ? say(language, 'ports.ofStation', { figure: rating.text }) : rating.text;
}

/** What an installer needs: how the station should connect and what went wrong last. */
export async function findConnection(db: Kysely<Tables>, caller: Caller, id: StationId) {
  const row = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select([
      'number',
      'protocol',
      'password_hash',
      'sign_in',
      'online',
      'last_seen_at',
      'refused_at',
      'refused_because',
      'refused_address',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    number: row.number,
    protocol: row.protocol,
    hasPassword: row.password_hash !== null,
    signIn: row.sign_in,
    online: row.online,
    lastSeenAt: isoOrNull(row.last_seen_at),
    lastRefusal:
      row.refused_at === null
        ? null
        : {
            at: toIso(row.refused_at),
            reason: row.refused_because ?? '',
            remoteAddress: row.refused_address ?? '',
          },
  };
}

/** Unregistered stations belong to nobody: the platform's people see them. */
export const unknownStationList = listSource({
  route: listUnknownStations,
  filtered: (db, caller) => (caller.agents === 'all' ? db.selectFrom('unknown_stations') : null),
  id: sql`unknown_stations.id`,
  sorts: { lastSeenAt: sql`unknown_stations.last_seen_at` },
  rows: (db) =>
    db
      .selectFrom('unknown_stations')
      .leftJoin('station_identities', (join) =>
        join
          .onRef('station_identities.number', '=', 'unknown_stations.number')
          .onRef('station_identities.protocol', '=', 'unknown_stations.protocol')
          .on('station_identities.station_id', 'is', null),
      )
      .select([
        'unknown_stations.id',
        'unknown_stations.number',
        'unknown_stations.protocol',
        'unknown_stations.remote_address as remoteAddress',
        'unknown_stations.first_seen_at as firstSeenAt',
        'unknown_stations.last_seen_at as lastSeenAt',
        'unknown_stations.attempts',
        'station_identities.batch',
        'station_identities.type',
        'station_identities.equipment_type as equipmentType',
        'station_identities.connector_count as connectorCount',
        'station_identities.max_power_w as maxPowerW',
        'station_identities.manufacturer',
        'station_identities.equipment_model as equipmentModel',
      ]),
  toItem: ({ batch, type, equipmentType, connectorCount, maxPowerW, manufacturer, equipmentModel, ...row }) => ({
    ...row,
    protocol: row.protocol as Protocol,
    firstSeenAt: toIso(row.firstSeenAt),
    lastSeenAt: toIso(row.lastSeenAt),
    identity:
      batch === null || type === null || equipmentType === null || connectorCount === null || maxPowerW === null
        ? null
        : {
            batch,
            type: type as Station['type'],
            equipmentType: equipmentType as Station['equipmentType'],
            connectorCount,
            maxPowerKw: maxPowerW / 1000,
            manufacturer,
            equipmentModel,
          },
  }),
});
