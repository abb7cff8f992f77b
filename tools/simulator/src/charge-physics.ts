import { type ChargeKind, type Curve, createCurve, type Vehicle } from './charging-curve.ts';
import type { ConnectorFacts } from './charging-station.ts';
import type { ConnectorStatus } from './connector.ts';
import type { Faults } from './faults.ts';
import { wholeWh } from './samples.ts';
import type { Random } from './seeded.ts';

/** A gun or socket as far as energy is concerned. */
export type Outlet = {
  readonly number: number;
  readonly status: ConnectorStatus;
  registerWh: number;
  readonly vehicle: Vehicle | null;
};

/** A charge as far as its meter is concerned. */
type Metered = { readonly startedAt: number; rolledBack: boolean };

/** Degrees around the station on the day of a charge. */
const ambientC = { min: 8, max: 32 } as const;

/** How a vehicle takes what an outlet can give, on a day drawn from the charge's own chance. */
export function drawCurve(given: { kind: ChargeKind; powerMaxW: number; vehicle: Vehicle; random: Random }): Curve {
  return createCurve({ ...given, ambientC: given.random.between(ambientC.min, ambientC.max) });
}

/** What the meter shows at first: given, or drawn from the station's chance. */
export function firstRegisterWh(random: Random, number: number, given: readonly number[] | undefined): number {
  const drawn = random.fork(`register ${number}`).integer(1_000, 9_000_000);
  return given?.[number - 1] ?? drawn;
}

/** The fault of a meter whose register falls, once in a charge. */
export function rollBackMeter(outlet: Outlet, charge: Metered, fault: Faults['meterRollback'], now: number): void {
  if (fault === null || charge.rolledBack || now - charge.startedAt < fault.afterMs) return;
  charge.rolledBack = true;
  outlet.registerWh = Math.max(0, outlet.registerWh - fault.byWh);
}

/** What can be said of an outlet in any protocol. */
export function outletFacts({ number, status, registerWh, vehicle }: Outlet): Omit<ConnectorFacts, 'charge'> {
  return { number, status, registerWh: wholeWh(registerWh), pluggedIn: vehicle !== null };
}
