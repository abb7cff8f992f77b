import type { EquipmentType, Protocol, StationType } from '@voltdeck/charging/states';
import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import { type Random, seeded } from '@voltdeck/simulator/seeded';
import type { AgentId, ConnectorId, SiteId, StationId, TariffId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, shanghaiDayStart } from '@voltdeck/units/instant';
import { apportion } from './apportion.ts';
import { boxSizes, drawMake, drawPowerKw, stationCounts } from './equipment.ts';
import { type SitePlan, sitePlans } from './sites.ts';
import { twoWheelTariffs } from './tariffs.ts';

/** The days of history before the day on which the network was created. */
export const historyDays = 90;

export type Site = SitePlan & { id: SiteId; agentId: AgentId | null; createdAt: Instant };

export type Connector = {
  id: ConnectorId;
  number: number;
  name: string;
  station: Station;
  /** Its register when the history starts. */
  registerWh: number;
};

export type Station = {
  id: StationId;
  number: string;
  name: string;
  kind: ChargeKind;
  protocol: Protocol;
  type: StationType;
  equipmentType: EquipmentType;
  site: Site;
  /** Of one connector. */
  powerKw: number;
  connectors: readonly Connector[];
  /** Index into `tariffs`. */
  tariff: number;
  tariffId: TariffId;
  vendor: string;
  model: string;
  firmware: string;
  serialNumber: string;
  iccid: string;
  voltageV: number;
  currentA: number;
  createdAt: Instant;
  /** Charges cost nothing here: a new station on trial. */
  isFree: boolean;
  /** Its role in the demo: charges all the time, waits to be started, is not connected, or never was. */
  presence: 'lively' | 'idle' | 'absent' | 'not-installed';
};

export type Network = {
  seed: string;
  /** When the history ends. */
  now: Instant;
  /** Midnight in Asia/Shanghai at which it starts. */
  beginsAt: Instant;
  sites: readonly Site[];
  stations: readonly Station[];
  connectors: readonly Connector[];
};

/** How long a site has been under construction. */
const buildingDays = 33;
/** The number of sites with lively two-wheeler boxes; everywhere else it is the first DC station. */
const livelyBoxes = 6;
const livelyAcStations = 4;

/** Short names of the sites whose last AC station is new and free of charge. */
const trialSites: readonly string[] = ['上地', '未科城'];

/** The share of stations of each kind that speak YKC; two-wheelers cannot. */
const ykcShare: Readonly<Record<ChargeKind, number>> = { dc: 0.35, ac: 0.12, 'two-wheel': 0 };

/** Ids count from 1 in the order of the lists, because the database is empty when they are written. */
export function buildNetwork(seed: string, now: Instant): Network {
  const random = seeded(seed).fork('network');
  const beginsAt = instant(shanghaiDayStart(now) - historyDays * dayMs);
  const sites = sitePlans.map(
    (plan, index): Site => ({
      ...plan,
      id: (index + 1) as SiteId,
      agentId: plan.agent === null ? null : ((plan.agent + 1) as AgentId),
      createdAt: createdAtOf(plan, { beginsAt, now }, random),
    }),
  );
  const stations = buildStations(sites, { beginsAt, now }, random.fork('stations'));
  return { seed, now, beginsAt, sites, stations, connectors: stations.flatMap((station) => station.connectors) };
}

function createdAtOf(
  { state }: SitePlan,
  { beginsAt, now }: Pick<Network, 'beginsAt' | 'now'>,
  random: Random,
): Instant {
  const at = instant(beginsAt - random.integer(120, 900) * dayMs + random.integer(9, 17) * hourMs);
  return state === 'building' ? instant(now - buildingDays * dayMs) : at;
}

function buildStations(
  sites: readonly Site[],
  { beginsAt, now }: Pick<Network, 'beginsAt' | 'now'>,
  random: Random,
): Station[] {
  const dcCounts = apportion(
    stationCounts.dc,
    sites.map((site) => site.dc),
  );
  const acCounts = apportion(
    stationCounts.ac,
    sites.map((site) => site.ac),
  );
  const boxCounts = apportion(
    boxSizes.length,
    sites.map((site) => site.twoWheel),
  );
  const sizes = shuffled(boxSizes, random.fork('boxes'));
  const perCounty = new Map<string, number>();
  const stations: Station[] = [];
  let connectorId = 0;
  let boxes = 0;
  let livelyAc = 0;
  for (const [index, site] of sites.entries()) {
    const kinds: ChargeKind[] = [
      ...Array<ChargeKind>(dcCounts[index] ?? 0).fill('dc'),
      ...Array<ChargeKind>(acCounts[index] ?? 0).fill('ac'),
      ...Array<ChargeKind>(boxCounts[index] ?? 0).fill('two-wheel'),
    ];
    for (const [place, kind] of kinds.entries()) {
      const draw = random.fork(`station ${site.id}-${place}`);
      const inCounty = (perCounty.get(site.regionCode) ?? 0) + 1;
      perCounty.set(site.regionCode, inCounty);
      const ports = kind === 'dc' ? 2 : kind === 'ac' ? 1 : (sizes[boxes] ?? 10);
      const powerKw = drawPowerKw(kind, site.name.includes('超级'), draw);
      const isFirstOfKind = kinds.indexOf(kind) === place;
      const isFree = kind === 'ac' && trialSites.includes(site.shortName) && kinds.lastIndexOf(kind) === place;
      const isLively =
        !isUsed(site) || isFree
          ? false
          : kind === 'dc'
            ? isFirstOfKind
            : kind === 'two-wheel'
              ? isFirstOfKind && (site.dc === 0 || boxes % 5 === 0) && boxes < livelyBoxes * 6
              : isFirstOfKind && index % 9 === 0 && livelyAc < livelyAcStations;
      if (kind === 'two-wheel') boxes += 1;
      if (kind === 'ac' && isLively) livelyAc += 1;
      const id = (stations.length + 1) as StationId;
      const tariff = kind === 'two-wheel' ? (twoWheelTariffs[index % 2] ?? 4) : site.tariff;
      const make = drawMake(kind, powerKw, ports, draw);
      const isNew = isFree || site.state === 'building';
      const connectors: Connector[] = [];
      const station: Station = {
        id,
        number: `${site.regionCode}01${String(inCounty).padStart(6, '0')}`,
        name: `${site.shortName}${place + 1}号${names[kind]}`,
        kind,
        protocol: random.fork(`protocol ${id}`).chance(ykcShare[kind]) ? 'ykc' : 'ocpp1.6',
        type: kind === 'dc' ? 'fast' : 'slow',
        equipmentType: kind === 'two-wheel' ? 'two-wheel' : 'four-wheel',
        site,
        powerKw,
        connectors,
        tariff,
        tariffId: (tariff + 1) as TariffId,
        vendor: make.vendor,
        model: make.model,
        firmware: make.firmware,
        serialNumber: `${make.model}-${draw.integer(23, 26)}${String(draw.integer(1, 52)).padStart(2, '0')}-${String(id).padStart(5, '0')}`,
        iccid: `898600${String(4_000_000_000_000 + id * 7_919).padStart(14, '0')}`,
        voltageV: make.voltageV,
        currentA: kind === 'dc' ? (powerKw > 180 ? 600 : 250) : kind === 'ac' ? 32 : 5,
        createdAt: isNew
          ? // Too young for charges of the past.
            instant(now - draw.integer(3, 20) * hourMs)
          : instant(
              Math.max(
                site.createdAt + dayMs,
                // The network grows: one in ten was installed during the history.
                !isLively && draw.chance(0.1)
                  ? beginsAt + draw.integer(2, 80) * dayMs
                  : beginsAt - draw.integer(5, 700) * dayMs,
              ) +
                draw.integer(9 * 60, 17 * 60) * 60_000,
            ),
        isFree,
        presence: isLively ? 'lively' : (presenceAt(site) ?? (draw.chance(0.03) && !isFree ? 'absent' : 'idle')),
      };
      for (let number = 1; number <= ports; number += 1) {
        connectorId += 1;
        connectors.push({
          id: connectorId as ConnectorId,
          number,
          name: portNameOf(kind, number, random.fork(`port ${connectorId}`)),
          station,
          registerWh: draw.integer(5_000, kind === 'dc' ? 90_000_000 : kind === 'ac' ? 9_000_000 : 900_000),
        });
      }
      stations.push(station);
    }
  }
  return stations;
}

/** Whether vehicles come here: not while a site is under construction, nor once it has closed. */
function isUsed({ state }: Site): boolean {
  return state === 'normal' || state === 'maintenance';
}

/** What a site's state says of its stations; null where vehicles come. */
function presenceAt(site: Site): Station['presence'] | null {
  if (isUsed(site)) return null;
  return site.state === 'building' ? 'not-installed' : 'absent';
}

/** A few ports have been given a name that drivers on the spot understand. */
function portNameOf(kind: ChargeKind, number: number, random: Random): string {
  const letter = 'AB'.charAt(number - 1);
  if (kind === 'two-wheel') return random.chance(0.03) ? `${number}号插座（雨棚下）` : `${number}号插座`;
  return random.chance(0.06) ? `${letter}枪（${random.pick(portPlaces[kind])}）` : `${letter}枪`;
}
const portPlaces = {
  dc: ['大巴专用', '靠出口', '靠配电房', '货车位'],
  ac: ['靠电梯口', '女士车位', '靠出口'],
} as const;

const names: Readonly<Record<ChargeKind, string>> = { dc: '直流桩', ac: '交流桩', 'two-wheel': '充电箱' };

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** The first four digits of the region code: the city. */
export function cityOf(site: { regionCode: string }): string {
  return site.regionCode.slice(0, 4);
}
