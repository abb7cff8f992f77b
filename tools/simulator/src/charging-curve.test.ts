import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChargeKind, type CurvePoint, createCurve, drawVehicle, steadyVehicle } from './charging-curve.ts';
import { seeded } from './seeded.ts';

const kinds = ['dc', 'ac', 'two-wheel'] as const satisfies readonly ChargeKind[];
const powersW: Record<ChargeKind, number[]> = {
  dc: [30_000, 60_000, 120_000, 240_000],
  ac: [7_000, 11_000, 22_000],
  'two-wheel': [400, 800, 1_000],
};

function play(kind: ChargeKind, powerMaxW: number, seed: number, stepMs: number, steps: number): CurvePoint[] {
  const random = seeded(seed);
  const curve = createCurve({ kind, powerMaxW, vehicle: drawVehicle(kind, random), ambientC: 20, random });
  return [curve.point, ...Array.from({ length: steps }, () => curve.advance(stepMs))];
}

const charge = fc.record({
  kind: fc.constantFrom(...kinds),
  power: fc.nat({ max: 3 }),
  seed: fc.nat(),
  stepMs: fc.integer({ min: 200, max: 5_000 }),
});
const powerFor = (kind: ChargeKind, index: number) => powersW[kind][index % powersW[kind].length] ?? 0;

describe('charging curves', () => {
  test('energy is the integral of power, power stays within the station, the state of charge only rises', () => {
    fc.assert(
      fc.property(charge, ({ kind, power, seed, stepMs }) => {
        const powerMaxW = powerFor(kind, power);
        const points = play(kind, powerMaxW, seed, stepMs, 400);
        let integralWh = 0;
        let before = points[0];
        for (const point of points.slice(1)) {
          integralWh += (point.powerW * stepMs) / 3_600_000;
          expect(point.powerW).toBeGreaterThanOrEqual(0);
          expect(point.powerW).toBeLessThanOrEqual(powerMaxW + 1e-6);
          expect(point.socPercent).toBeGreaterThanOrEqual(before?.socPercent ?? 0);
          expect(point.socPercent).toBeLessThanOrEqual(100);
          expect(point.energyWh).toBeGreaterThanOrEqual(before?.energyWh ?? 0);
          before = point;
        }
        expect(before?.energyWh).toBeCloseTo(integralWh, 6);
      }),
      { numRuns: 60 },
    );
  });

  test('voltage times current times phases is the power', () => {
    fc.assert(
      fc.property(charge, ({ kind, power, seed, stepMs }) => {
        for (const point of play(kind, powerFor(kind, power), seed, stepMs, 100)) {
          expect(point.voltageV * point.currentA * point.phases).toBeCloseTo(point.powerW, 3);
          expect(point.temperatureC).toBeGreaterThan(15);
          expect(point.temperatureC).toBeLessThan(90);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('the same seed gives the same charging curve', () => {
    for (const kind of kinds) {
      expect(play(kind, powerFor(kind, 1), 5, 5_000, 300)).toEqual(play(kind, powerFor(kind, 1), 5, 5_000, 300));
      expect(play(kind, powerFor(kind, 1), 5, 5_000, 300)).not.toEqual(play(kind, powerFor(kind, 1), 6, 5_000, 300));
    }
  });

  test('every vehicle becomes full in the end and then takes nothing', () => {
    for (const kind of kinds) {
      for (let seed = 0; seed < 40; seed += 1) {
        const points = play(kind, powerFor(kind, seed), seed, 60_000, 24 * 60);
        const last = points.at(-1);
        expect(last?.full).toBe(true);
        expect(last?.powerW).toBe(0);
        expect(last?.currentA).toBe(0);
      }
    }
  });

  test('a DC car ramps up, holds, and tapers above 80 percent', () => {
    const random = seeded(1);
    const vehicle = { ...drawVehicle('dc', random), batteryWh: 60_000, powerMaxW: 90_000, voltageV: 380 };
    const curve = createCurve({
      kind: 'dc',
      powerMaxW: 60_000,
      vehicle: { ...vehicle, socStartPercent: 20, socTargetPercent: 100 },
      ambientC: 20,
      random,
    });
    const points = Array.from({ length: 1_500 }, () => curve.advance(5_000));
    const at = (socPercent: number) => points.find((point) => point.socPercent >= socPercent)?.powerW ?? 0;
    expect(points[0]?.powerW).toBeLessThan(15_000);
    expect(at(30)).toBeGreaterThan(55_000);
    expect(at(60)).toBeGreaterThan(55_000);
    expect(at(88)).toBeLessThan(at(75) * 0.85);
    expect(at(97)).toBeLessThan(15_000);
  });

  test('an AC car takes its flat power until it is nearly full', () => {
    const points = play('ac', 7_000, 3, 60_000, 90).slice(1);
    const flat = points.filter((point) => point.elapsedMs > 60_000 && point.socPercent < 97);
    const powers = flat.map((point) => point.powerW);
    expect(Math.min(...powers)).toBeGreaterThan(0.95 * Math.max(...powers));
  });

  test('a two-wheeler takes 200 to 1,000 W and trickles at the end', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const points = play('two-wheel', 1_000, seed, 60_000, 24 * 60).slice(2);
      const peakW = Math.max(...points.map((point) => point.powerW));
      expect(peakW).toBeGreaterThan(150);
      expect(peakW).toBeLessThanOrEqual(1_000);
      const tail = points.filter((point) => point.socPercent > 98 && !point.full);
      expect(tail.length).toBeGreaterThan(3);
      for (const point of tail) expect(point.powerW).toBeLessThan(peakW * 0.2);
    }
  });

  test('a steady vehicle takes exactly its power from the first moment', () => {
    const curve = createCurve({
      kind: 'dc',
      powerMaxW: 120_000,
      vehicle: steadyVehicle(60_000),
      ambientC: 20,
      random: seeded(1),
    });
    expect(curve.advance(3_600_000).energyWh).toBeCloseTo(60_000, 6);
    expect(curve.advance(3_600_000).energyWh).toBeCloseTo(120_000, 6);
  });

  test('a vehicle in a hurry is full sooner at the same power', () => {
    const calm = drawVehicle('dc', seeded(9));
    const hurried = drawVehicle('dc', seeded(9), 6);
    expect(hurried.batteryWh).toBeCloseTo(calm.batteryWh / 6);
    expect(hurried.powerMaxW).toBe(calm.powerMaxW);
  });
});
