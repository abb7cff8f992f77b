import { readdirSync, readFileSync } from 'node:fs';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { siteStates } from '@voltdeck/charging/states';
import { bodyFields, faultOfValue } from '@voltdeck/contract/body-fields';
import { changeConnector } from '@voltdeck/contract/connectors';
import { createStation } from '@voltdeck/contract/stations';
import { regionTable } from '@voltdeck/regions/region-table';
import { pathOf, regionByCode } from '@voltdeck/regions/regions';
import { checkTariff } from '@voltdeck/tariffs/check-tariff';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { agents } from './agents.ts';
import { apportion } from './apportion.ts';
import { buildPeople, cardCount, customerCount } from './customers.ts';
import { buildNetwork, cityOf } from './network.ts';
import { paperworkOf } from './paperwork.ts';
import { demoUsers } from './people.ts';
import { portFactsOf } from './port-facts.ts';
import { defaultTariffs, spareTariffs, tariffs } from './tariffs.ts';

const now = instant(Date.UTC(2026, 10, 21, 8, 3));
const network = buildNetwork('a seed', now);
const people = buildPeople(network);

describe('sites', () => {
  test('the demo network’s sites are some forty, in many cities, each with its own name', () => {
    expect(network.sites.length).toBeGreaterThanOrEqual(40);
    expect(new Set(network.sites.map(cityOf)).size).toBeGreaterThanOrEqual(18);
    expect(new Set(network.sites.map(({ name }) => name)).size).toBe(network.sites.length);
  });

  test.each(network.sites)('$name lies in the county of its code, and its address says so', (site) => {
    const path = pathOf(regionTable, site.regionCode);
    expect(path.map(({ level }) => level)).toEqual(['province', 'city', 'county']);
    for (const { zh } of path) expect(site.address).toContain(zh.replace(/壮族|回族/, ''));
    const county = regionByCode(regionTable, site.regionCode);
    // Districts are large, and some centres are those of a former seat.
    expect(county && kilometres(site, county)).toBeLessThan(35);
  });

  test.each(network.sites)('$name lies inside the outline of its city or district', (site) => {
    const holding = outlines
      .filter(
        (outline) => outline.rings.filter((ring) => isInside(ring, site.longitude, site.latitude)).length % 2 === 1,
      )
      .map(({ code }) => code);
    const own = [site.regionCode, `${cityOf(site)}00`, `${cityOf(site).slice(0, 2)}0000`];
    expect(holding.filter((code) => own.includes(code))).toHaveLength(1);
  });
});

describe('stations', () => {
  test('the demo network’s stations are 300 with 1,000 gun ports, fast, slow and for two-wheelers', () => {
    expect(network.stations).toHaveLength(300);
    expect(network.connectors).toHaveLength(1_000);
    const ports = (kind: string) => network.connectors.filter(({ station }) => station.kind === kind).length;
    expect([ports('dc'), ports('ac'), ports('two-wheel')]).toEqual([360, 84, 556]);
    expect(new Set(network.stations.map(({ powerKw }) => powerKw))).toEqual(new Set([1, 7, 60, 120, 180, 240, 480]));
  });

  test('the demo network’s stations have unique numbers and names, and ids that count from one', () => {
    expect(new Set(network.stations.map(({ number }) => number)).size).toBe(300);
    expect(new Set(network.stations.map(({ name }) => name)).size).toBe(300);
    for (const { number, site } of network.stations) {
      expect(number).toMatch(/^\d{14}$/);
      expect(number.startsWith(site.regionCode)).toBe(true);
    }
    expect(network.connectors.map(({ id }) => id)).toEqual(network.connectors.map((_, index) => index + 1));
  });

  test('the demo network’s stations speak YKC in part, only four-wheeler ones, under numbers of 14 digits, and some of them are live', () => {
    const piles = network.stations.filter(({ protocol }) => protocol === 'ykc');
    expect(piles.length).toBeGreaterThan(40);
    expect(piles.length).toBeLessThan(110);
    for (const { number } of piles) expect(number).toMatch(protocolTraits.ykc.stationNumber);
    expect(new Set(piles.map(({ kind }) => kind))).toEqual(new Set(['dc', 'ac']));
    expect(piles.filter(({ presence }) => presence === 'lively').length).toBeGreaterThan(5);
  });

  test('the demo network’s stations are live at every site, four- and two-wheeler ones, while a few are missing', () => {
    const lively = network.stations.filter(({ presence }) => presence === 'lively');
    expect(lively.length).toBeGreaterThanOrEqual(36);
    expect(lively.length).toBeLessThanOrEqual(60);
    expect(new Set(lively.map(({ kind }) => kind))).toEqual(new Set(['dc', 'ac', 'two-wheel']));
    const used = network.sites.filter(({ state }) => state === 'normal' || state === 'maintenance');
    expect(new Set(lively.map(({ site }) => site))).toEqual(new Set(used));
    const absent = network.stations.filter(({ presence }) => presence === 'absent').length;
    expect(absent).toBeGreaterThan(0);
    expect(absent).toBeLessThan(20);
  });

  test('the demo network has sites in every state, with nothing connected where none is in use', () => {
    const states = new Set(network.sites.map(({ state }) => state));
    expect(states).toEqual(new Set(siteStates.filter((state) => state !== 'unknown')));
    const at = (state: string) => network.stations.filter(({ site }) => site.state === state);
    expect(new Set(at('building').map(({ presence }) => presence))).toEqual(new Set(['not-installed']));
    expect(new Set(at('closed_for_business').map(({ presence }) => presence))).toEqual(new Set(['absent']));
    expect(at('closed_offline')).toEqual([]);
    expect(
      network.stations
        .filter(({ presence }) => presence === 'not-installed')
        .every(({ site }) => site.state === 'building'),
    ).toBe(true);
  });

  test('the demo network has free stations, too young for charges of the past', () => {
    const free = network.stations.filter(({ isFree }) => isFree);
    expect(free).toHaveLength(2);
    for (const { createdAt, presence } of free) {
      expect(createdAt).toBeGreaterThan(now - dayMs);
      expect(createdAt).toBeLessThan(now);
      expect(presence).toBe('idle');
    }
  });

  test('some ports of the demo network have names of their own, none longer than a form takes', () => {
    const named = network.connectors.filter(({ name }) => name.includes('（'));
    expect(named.length).toBeGreaterThan(20);
    expect(named.length).toBeLessThan(100);
    const field = fieldOf(changeConnector, 'name');
    for (const { name } of network.connectors) expect(faultOfValue(field, name)).toBeNull();
  });

  test('most gun ports of the demo network have facts that the form of a port takes, and some have only a kind', () => {
    const facts = [...portFactsOf(network.stations).values()];
    expect(facts).toHaveLength(network.connectors.length);
    for (const fact of facts) {
      const given = {
        bayNumber: fact.bay_number,
        kind: fact.kind,
        nationalStandard: fact.national_standard,
        ratedVoltageMinV: fact.rated_voltage_min_v,
        ratedVoltageMaxV: fact.rated_voltage_max_v,
        ratedCurrentA: fact.rated_current_a,
        ratedPowerW: fact.rated_power_w,
      };
      for (const [name, value] of Object.entries(given)) {
        expect(faultOfValue(fieldOf(changeConnector, name), value)).toBeNull();
      }
      expect(fact.rated_voltage_min_v ?? 0).toBeLessThanOrEqual(fact.rated_voltage_max_v ?? 0);
    }
    expect(facts.filter(({ rated_power_w: power }) => power !== null).length).toBeGreaterThan(250);
    expect(
      facts.filter(({ kind, rated_power_w: power }) => kind === 'dc_plug' && power === null).length,
    ).toBeGreaterThan(10);
    const factsByPort = portFactsOf(network.stations);
    const bays = network.connectors.flatMap(({ id, station }) => {
      const bay = factsByPort.get(id)?.bay_number ?? null;
      return bay === null ? [] : [`${station.site.id} ${bay}`];
    });
    expect(new Set(bays).size).toBe(bays.length);
  });

  test('the demo network’s stations have papers that the form of a station takes', () => {
    for (const station of network.stations) {
      const paper = paperworkOf(station, now);
      const given = {
        customSite: paper.custom_site,
        imei: paper.imei ?? undefined,
        manufacturer: paper.manufacturer,
        manufacturerCode: paper.manufacturer_code,
        equipmentModel: paper.equipment_model,
      };
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) expect(faultOfValue(fieldOf(createStation, name), value)).toBeNull();
      }
      expect(paper.produced_on < shanghaiDate(station.createdAt)).toBe(true);
    }
    const soon = network.stations.filter((station) => {
      const { sim_expires_on: day } = paperworkOf(station, now);
      return day !== null && day < shanghaiDate(instant(now + 30 * dayMs));
    });
    expect(soon.length).toBeGreaterThan(0);
  });

  test('the demo network’s stations send no longer texts than OCPP 1.6 allows (section 7, CiString20 and CiString25)', () => {
    for (const { vendor, model, serialNumber, iccid } of network.stations) {
      expect([vendor.length <= 20, model.length <= 20, serialNumber.length <= 25, iccid.length]).toEqual([
        true,
        true,
        true,
        20,
      ]);
    }
  });
});

describe('billing rules', () => {
  test.each([...tariffs, ...spareTariffs])('$name is valid', ({ tariff }) => {
    expect(checkTariff(tariff)).toEqual([]);
  });

  test('one rule has three versions, another one has a version to come, and each kind of station has a default', () => {
    expect(spareTariffs.filter(({ versionOf }) => versionOf === 0)).toHaveLength(2);
    expect(spareTariffs.filter(({ effective }) => effective === 'next-month')).toMatchObject([{ versionOf: 2 }]);
    expect(tariffs[defaultTariffs['four-wheel']]?.tariff.kind).toBe('energy');
    expect(tariffs[defaultTariffs['two-wheel']]?.tariff.kind).toBe('hour');
  });

  test('the demo network’s billing rules price energy by all four periods, and two-wheelers by the hour', () => {
    const energy = tariffs.flatMap(({ tariff }) => (tariff.kind === 'energy' ? [tariff] : []));
    expect(energy.length).toBeGreaterThanOrEqual(3);
    for (const { slots } of energy) {
      expect(new Set(slots.map(({ period }) => period))).toEqual(new Set(['sharp', 'peak', 'flat', 'valley']));
    }
    expect(tariffs.filter(({ tariff }) => tariff.kind === 'hour')).toHaveLength(2);
    for (const { kind, tariff } of network.stations) {
      expect(tariffs[tariff]?.tariff.kind).toBe(kind === 'two-wheel' ? 'hour' : 'energy');
    }
  });
});

describe('people', () => {
  const { customers, cards } = people;

  test('the demo network’s people are 2,000 customers with phone numbers of eleven digits in unassigned ranges', () => {
    expect(customers).toHaveLength(customerCount);
    expect(new Set(customers.map(({ phone }) => phone)).size).toBe(customerCount);
    const operators = [...agents, ...demoUsers('', '')].map(({ phone }) => phone);
    for (const phone of [...customers.map((customer) => customer.phone), ...operators]) {
      expect(phone).toMatch(/^(154|161|163|164)\d{8}$/);
    }
  });

  test('the demo network’s people have 3,000 cards of sixteen digits 0-9 and A-F, with a different number in the chip', () => {
    expect(cards).toHaveLength(cardCount);
    const numbers = new Set(cards.flatMap(({ number, physicalNumber }) => [number, physicalNumber]));
    expect(numbers.size).toBe(2 * cardCount);
    for (const { number, physicalNumber } of cards) {
      expect(number).toMatch(/^[0-9A-F]{16}$/);
      expect(physicalNumber).toMatch(/^[0-9A-F]{8}$/);
    }
    expect(new Set(cards.map(({ state }) => state))).toEqual(new Set(['active', 'lost', 'disabled', 'cancelled']));
  });

  test('the demo network’s people joined before now, and have cards only from then on', () => {
    const joined = new Map(customers.map((customer) => [customer.id, customer.createdAt]));
    for (const { createdAt } of [...customers, ...cards]) expect(createdAt).toBeLessThan(now);
    const early = cards.filter(
      (card) =>
        card.customerId !== null && card.state === 'active' && card.createdAt < (joined.get(card.customerId) ?? 0),
    );
    expect(early).toEqual([]);
  });

  test('live cards can charge and are not part of the history', () => {
    const lively = cards.filter(({ isLively }) => isLively);
    expect(lively.length).toBeGreaterThanOrEqual(150);
    for (const card of lively)
      expect([card.state, card.expiresAt === null || card.expiresAt > now]).toEqual(['active', true]);
    const inHistory = new Set(people.drivers.flatMap((driver) => driver.cards));
    expect(lively.filter((card) => inHistory.has(card))).toEqual([]);
  });
});

test('apportioned parts add up to the whole', () => {
  expect(apportion(10, [1, 1, 1])).toEqual([4, 3, 3]);
  expect(apportion(7, [0, 3, 1])).toEqual([0, 5, 2]);
  expect(() => apportion(1, [0])).toThrow(RangeError);
});

function fieldOf({ body }: { body?: Parameters<typeof bodyFields>[0] | undefined }, name: string) {
  const field = body === undefined ? undefined : bodyFields(body).get(name);
  if (field === undefined) throw new Error(`no form has ${name}`);
  return field;
}

type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** The cities of the console's map (districts in the four municipalities), from its TopoJSON. */
const outlines = readOutlines();

function readOutlines(): { code: string; rings: Ring[] }[] {
  const folder = new URL('../../../apps/console/public/geo/', import.meta.url);
  const file = readdirSync(folder).find((name) => name.startsWith('cities.'));
  const map = JSON.parse(readFileSync(new URL(file ?? '', folder), 'utf8')) as {
    arcs: [number, number][][];
    transform: { scale: [number, number]; translate: [number, number] };
    objects: {
      cities: { geometries: { type: string; arcs: number[][][] | number[][]; properties: { code: number } }[] };
    };
  };
  const { scale, translate } = map.transform;
  const arcs = map.arcs.map((arc): Ring => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]] as const;
    });
  });
  const ringOf = (indices: readonly number[]): Ring =>
    indices.flatMap((index) => (index >= 0 ? (arcs[index] ?? []) : [...(arcs[~index] ?? [])].reverse()));
  return map.objects.cities.geometries.map(({ type, arcs: parts, properties }) => ({
    code: String(properties.code),
    rings: (type === 'Polygon' ? (parts as number[][]) : (parts as number[][][]).flat()).map(ringOf),
  }));
}

/** Crossings of a ray to the east. */
function isInside(ring: Ring, longitude: number, latitude: number): boolean {
  let inside = false;
  for (const [index, [x, y]] of ring.entries()) {
    const [previousX, previousY] = ring[(index + ring.length - 1) % ring.length] ?? [x, y];
    if (y > latitude === previousY > latitude) continue;
    if (longitude < ((previousX - x) * (latitude - y)) / (previousY - y) + x) inside = !inside;
  }
  return inside;
}

function kilometres(a: { longitude: number; latitude: number }, b: { longitude: number; latitude: number }): number {
  const east = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(east, a.latitude - b.latitude) * 111.2;
}
