import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import { seeded } from '@voltdeck/simulator/seeded';
import type { Connector, Station } from './network.ts';

/** What the nameplate of a gun port says, and the number of its bay; columns of `connectors`. */
export type PortFacts = {
  bay_number: string | null;
  kind: 'household_socket' | 'ac_socket' | 'ac_plug' | 'dc_plug' | null;
  national_standard: '2011' | '2015' | '2023' | null;
  rated_voltage_min_v: number | null;
  rated_voltage_max_v: number | null;
  rated_current_a: number | null;
  rated_power_w: number | null;
};

const unknown: PortFacts = {
  bay_number: null,
  kind: null,
  national_standard: null,
  rated_voltage_min_v: null,
  rated_voltage_max_v: null,
  rated_current_a: null,
  rated_power_w: null,
};

/** The lowest voltage at which a charger of each kind works. */
const voltagesMin: Readonly<Record<ChargeKind, number>> = { dc: 200, ac: 220, 'two-wheel': 220 };
/** Guns above this are cooled by a liquid, which the edition of 2023 provides for. */
const cooledFromKw = 480;

/**
 * The facts of every port by its id, the same in every run of a seed. Bays count through a site; two-wheelers park
 * anywhere. Ports of a station that was never installed have none, and for some nobody entered more than the kind.
 */
export function portFactsOf(stations: readonly Station[]): ReadonlyMap<number, PortFacts> {
  const bays = new Map<number, number>();
  const facts = new Map<number, PortFacts>();
  for (const station of stations) {
    for (const port of station.connectors) {
      const bay = (bays.get(station.site.id) ?? 0) + 1;
      if (station.kind !== 'two-wheel') bays.set(station.site.id, bay);
      facts.set(port.id, station.presence === 'not-installed' ? unknown : factsOf(port, bay));
    }
  }
  return facts;
}

function factsOf({ id, station }: Connector, bay: number): PortFacts {
  const { kind, powerKw, voltageV, currentA, site } = station;
  const random = seeded(`${station.number} ${id}`).fork('facts');
  const named = {
    bay_number: kind === 'two-wheel' ? null : `${site.isUnderground ? 'B1-' : ''}${String(bay).padStart(3, '0')}`,
    kind: kindOf(kind, random.chance(0.8)),
  };
  // Nobody copied the nameplate: the station's own figures stand for it.
  if (kind === 'two-wheel' || random.chance(0.15)) return { ...unknown, ...named };
  return {
    ...named,
    national_standard: powerKw >= cooledFromKw ? '2023' : random.chance(0.06) ? '2011' : '2015',
    rated_voltage_min_v: voltagesMin[kind],
    rated_voltage_max_v: voltageV,
    rated_current_a: currentA,
    rated_power_w: powerKw * 1_000,
  };
}

function kindOf(kind: ChargeKind, isTethered: boolean): PortFacts['kind'] {
  if (kind === 'dc') return 'dc_plug';
  if (kind === 'two-wheel') return 'household_socket';
  return isTethered ? 'ac_plug' : 'ac_socket';
}
