import type { Random } from './seeded.ts';

/** What a station delivers: direct current to a car, alternating current to a car, or a socket for a two-wheeler. */
export type ChargeKind = 'dc' | 'ac' | 'two-wheel';

export type Vehicle = {
  batteryWh: number;
  /** 0 to 100. */
  socStartPercent: number;
  /** The vehicle stops asking for power here; 0 to 100. */
  socTargetPercent: number;
  /** The most the vehicle takes, measured at the station's meter. */
  powerMaxW: number;
  /** Mid-range pack voltage for dc, mains voltage per phase otherwise. */
  voltageV: number;
  phases: 1 | 3;
  /** The share of `powerMaxW` that it takes at a state of charge; straight lines in between, ascending. */
  acceptance: readonly { socPercent: number; share: number }[];
  /** Takes `powerMaxW` from the first millisecond, without ramp or noise, so that sums can be checked by hand. */
  steady: boolean;
  /** 17 characters, for stations that get a VIN. Default: drawn from the seed. */
  vin?: string;
};

export type CurvePoint = {
  elapsedMs: number;
  /** Energy through the meter since the start of the charge, with fractions of a watt-hour. */
  energyWh: number;
  /** Mean power of the last step: energy is exactly the sum of power × step. */
  powerW: number;
  /** Pack voltage for dc, phase to neutral otherwise. */
  voltageV: number;
  /** Per phase; power = voltage × current × phases. */
  currentA: number;
  phases: 1 | 3;
  socPercent: number;
  /** Of the gun or socket. */
  temperatureC: number;
  /** The vehicle is full and takes no more. */
  full: boolean;
};

export type Curve = {
  readonly point: CurvePoint;
  /** Advances time and returns the point reached. @throws RangeError for negative time. */
  advance(durationMs: number): CurvePoint;
};

/** The longest stretch over which power is taken as constant. */
export const curveStepMs = 5_000;

const efficiency: Readonly<Record<ChargeKind, number>> = { dc: 0.95, ac: 0.9, 'two-wheel': 0.85 };
const rampWPerS: Readonly<Record<ChargeKind, number>> = { dc: 4_000, ac: 1_500, 'two-wheel': 200 };
const warmingC: Readonly<Record<ChargeKind, number>> = { dc: 34, ac: 13, 'two-wheel': 8 };
const warmingCurrentA: Readonly<Record<ChargeKind, number>> = { dc: 250, ac: 32, 'two-wheel': 5 };
const warmingTimeMs = 480_000;
const noiseMax = 0.04;

/** GB/T 20234.3 guns carry 250 A without cooling; stations above 180 kW come with liquid-cooled cables. */
function currentMaxA(kind: ChargeKind, powerMaxW: number): number {
  if (kind !== 'dc') return Number.POSITIVE_INFINITY;
  return powerMaxW > 180_000 ? 600 : 250;
}

/** A curve that starts at zero power. The same arguments and seed give the same curve. */
export function createCurve(options: {
  kind: ChargeKind;
  /** What the station can deliver at this connector. */
  powerMaxW: number;
  vehicle: Vehicle;
  ambientC: number;
  random: Random;
}): Curve {
  const { kind, powerMaxW, vehicle, ambientC, random } = options;
  const limitA = currentMaxA(kind, powerMaxW);
  const resistanceOhm = random.between(0.03, 0.07);
  let noise = 0;
  let point: CurvePoint = {
    elapsedMs: 0,
    energyWh: 0,
    powerW: 0,
    voltageV: vehicle.voltageV,
    currentA: 0,
    phases: vehicle.phases,
    socPercent: vehicle.socStartPercent,
    temperatureC: ambientC,
    full: vehicle.socStartPercent >= vehicle.socTargetPercent,
  };

  const wantedW = (stepMs: number): number => {
    if (point.full) return 0;
    if (vehicle.steady) return Math.min(powerMaxW, vehicle.powerMaxW);
    noise = 0.8 * noise + 0.2 * random.between(-noiseMax, noiseMax);
    const rampW = (rampWPerS[kind] * (point.elapsedMs + stepMs / 2)) / 1_000;
    const acceptedW = vehicle.powerMaxW * acceptedShare(vehicle, point.socPercent);
    const cableW = kind === 'dc' ? limitA * packVoltageV(vehicle, point.socPercent) : Number.POSITIVE_INFINITY;
    return Math.min(powerMaxW, acceptedW, rampW, cableW) * (1 - Math.abs(noise));
  };

  const step = (stepMs: number): void => {
    const wanted = wantedW(stepMs);
    const missingWh =
      Math.max(0, ((vehicle.socTargetPercent - point.socPercent) / 100) * vehicle.batteryWh) / efficiency[kind];
    const stepWh = Math.min((wanted * stepMs) / 3_600_000, missingWh);
    const socPercent = Math.min(
      vehicle.socTargetPercent,
      point.socPercent + ((stepWh * efficiency[kind]) / vehicle.batteryWh) * 100,
    );
    const full = point.full || stepWh >= missingWh;
    const powerW = (stepWh * 3_600_000) / stepMs;
    const electric =
      kind === 'dc'
        ? packElectrics(vehicle, socPercent, powerW, resistanceOhm)
        : mainsElectrics(vehicle, powerW, noise);
    const settledC = ambientC + warmingC[kind] * (electric.currentA / warmingCurrentA[kind]) ** 2;
    point = {
      elapsedMs: point.elapsedMs + stepMs,
      energyWh: point.energyWh + stepWh,
      powerW,
      ...electric,
      phases: vehicle.phases,
      socPercent: full ? Math.max(point.socPercent, vehicle.socTargetPercent) : socPercent,
      temperatureC: settledC + (point.temperatureC - settledC) * Math.exp(-stepMs / warmingTimeMs),
      full,
    };
  };

  return {
    get point() {
      return point;
    },
    advance(durationMs) {
      if (durationMs < 0) throw new RangeError(`time cannot run backwards, got ${durationMs} ms`);
      for (let leftMs = durationMs; leftMs > 0; leftMs -= curveStepMs) step(Math.min(leftMs, curveStepMs));
      return point;
    },
  };
}

function acceptedShare(vehicle: Vehicle, socPercent: number): number {
  let before = vehicle.acceptance[0];
  if (before === undefined) return 1;
  for (const after of vehicle.acceptance) {
    if (socPercent <= after.socPercent) {
      if (after.socPercent === before.socPercent) return after.share;
      const along = (socPercent - before.socPercent) / (after.socPercent - before.socPercent);
      return before.share + (after.share - before.share) * along;
    }
    before = after;
  }
  return before.share;
}

/** Open-circuit voltage: a lithium pack spans about ±8 % around its middle. */
function packVoltageV(vehicle: Vehicle, socPercent: number): number {
  return vehicle.voltageV * (0.92 + 0.16 * (socPercent / 100));
}

/** P = I × (U0 + I × R), solved for I, so that voltage × current is the power exactly. */
function packElectrics(vehicle: Vehicle, socPercent: number, powerW: number, resistanceOhm: number) {
  const openV = packVoltageV(vehicle, socPercent);
  const currentA = (Math.sqrt(openV * openV + 4 * resistanceOhm * powerW) - openV) / (2 * resistanceOhm);
  return { voltageV: openV + currentA * resistanceOhm, currentA };
}

function mainsElectrics(vehicle: Vehicle, powerW: number, noise: number) {
  const voltageV = vehicle.voltageV * (1 + noise / 4);
  return { voltageV, currentA: powerW / (voltageV * vehicle.phases) };
}

/**
 * Draws a newly arrived vehicle. `hurry` divides the battery: charges end sooner while power, energy and time stay
 * consistent.
 */
export function drawVehicle(kind: ChargeKind, random: Random, hurry = 1): Vehicle {
  switch (kind) {
    case 'dc': {
      const highVoltage = random.chance(0.2);
      const batteryWh = random.pick([45_000, 53_000, 61_000, 70_000, 77_000, 84_000, 100_000]);
      const kneePercent = random.between(76, 84);
      return {
        batteryWh: batteryWh / hurry,
        socStartPercent: Math.round(random.between(8, 55)),
        socTargetPercent: random.pick([80, 85, 90, 95, 100, 100]),
        powerMaxW: Math.round(batteryWh * (highVoltage ? 2.2 : random.between(1.1, 1.7))),
        voltageV: highVoltage ? random.between(640, 760) : random.between(345, 395),
        phases: 1,
        acceptance: [
          { socPercent: 0, share: 0.8 },
          { socPercent: 10, share: 1 },
          { socPercent: 50, share: 1 },
          { socPercent: kneePercent, share: 0.72 },
          { socPercent: 92, share: 0.26 },
          { socPercent: 100, share: 0.07 },
        ],
        steady: false,
      };
    }
    case 'ac': {
      const onboard = random.pick([
        { powerMaxW: 6_900, phases: 1 },
        { powerMaxW: 6_600, phases: 1 },
        { powerMaxW: 10_900, phases: 3 },
        { powerMaxW: 21_700, phases: 3 },
      ] as const);
      return {
        batteryWh: random.pick([38_000, 45_000, 53_000, 61_000, 77_000]) / hurry,
        socStartPercent: Math.round(random.between(20, 70)),
        socTargetPercent: random.pick([90, 100, 100]),
        powerMaxW: onboard.powerMaxW,
        voltageV: random.between(218, 232),
        phases: onboard.phases,
        acceptance: [
          { socPercent: 0, share: 1 },
          { socPercent: 97, share: 1 },
          { socPercent: 100, share: 0.3 },
        ],
        steady: false,
      };
    }
    case 'two-wheel': {
      const batteryWh = random.pick([576, 720, 960, 1_200, 1_440, 1_920, 2_300]);
      return {
        batteryWh: batteryWh / hurry,
        socStartPercent: Math.round(random.between(10, 60)),
        socTargetPercent: 100,
        powerMaxW: Math.min(1_000, Math.max(200, Math.round(batteryWh * random.between(0.28, 0.45)))),
        voltageV: random.between(218, 232),
        phases: 1,
        acceptance: [
          { socPercent: 0, share: 0.88 },
          { socPercent: 78, share: 1 },
          { socPercent: 88, share: 0.55 },
          { socPercent: 95, share: 0.18 },
          { socPercent: 100, share: 0.03 },
        ],
        steady: false,
      };
    }
  }
}

/** Takes exactly `powerW` for as long as it is plugged in (a battery of a gigawatt-hour). */
export function steadyVehicle(powerW: number): Vehicle {
  return {
    batteryWh: 1_000_000_000,
    socStartPercent: 20,
    socTargetPercent: 100,
    powerMaxW: powerW,
    voltageV: 400,
    phases: 1,
    acceptance: [],
    steady: true,
  };
}
