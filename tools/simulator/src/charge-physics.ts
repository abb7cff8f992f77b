import { type ChargeKind, type Curve, createCurve, type Vehicle } from './charging-curve.ts';
import type { ConnectorFacts } from './charging-station.ts';
import type { ConnectorStatus } from './connector.ts';
import type { Faults } from './faults.ts';
import { wholeWh } from './samples.ts';
import type { Random } from './seeded.ts';

/** The electrical side of a gun or socket. */
export type Outlet = {
  readonly number: number;
  readonly status: ConnectorStatus;
  registerWh: number;
  readonly vehicle: Vehicle | null;
};

/** The metering side of a charge. */
type Metered = { readonly startedAt: number; rolledBack: boolean };

/** Degrees around the station on the day of a charge. */
const ambientC = { min: 8, max: 32 } as const;

/** Draws how a vehicle takes power from an outlet, from the charge's own random stream. */
export function drawCurve(given: { kind: ChargeKind; powerMaxW: number; vehicle: Vehicle; random: Random }): Curve {
  return createCurve({ ...given, ambientC: given.random.between(ambientC.min, ambientC.max) });
}

/** The initial register of a meter: given, or drawn from the station's random stream. */
export function firstRegisterWh(random: Random, number: number, given: readonly number[] | undefined): number {
  const drawn = random.fork(`register ${number}`).integer(1_000, 9_000_000);
  return given?.[number - 1] ?? drawn;
}

/** The fault of a meter whose register falls once during a charge. */
export function rollBackMeter(outlet: Outlet, charge: Metered, fault: Faults['meterRollback'], now: number): void {
  if (fault === null || charge.rolledBack || now - charge.startedAt < fault.afterMs) return;
  charge.rolledBack = true;
  outlet.registerWh = Math.max(0, outlet.registerWh - fault.byWh);
}

/** Facts about an outlet that every protocol can express. */
export function outletFacts({ number, status, registerWh, vehicle }: Outlet): Omit<ConnectorFacts, 'charge'> {
  return { number, status, registerWh: wholeWh(registerWh), pluggedIn: vehicle !== null };
}
