import { type ChargeKind, createCurve, drawVehicle } from '@voltdeck/simulator/charging-curve';
import { type Random, seeded } from '@voltdeck/simulator/seeded';
import { hourMs, minuteMs } from '@voltdeck/units/instant';

/**
 * A charge from the simulator's curve, sampled at even intervals from the start (without energy) to the vehicle's last
 * watt. The history's charges are cut from a few hundred of these: a curve takes a millisecond, and there are more than
 * a hundred thousand charges.
 */
export type ChargeShape = {
  intervalMs: number;
  energyWh: readonly number[];
  powerW: readonly number[];
  currentMa: readonly number[];
  voltageMv: readonly number[];
  temperatureC: readonly number[];
  /** The air around the station. */
  ambientC: number;
  /** Only where a gun communicates with the battery. */
  socPercent: readonly number[] | null;
  /** When the vehicle was full; the end of the shape if never. */
  fullAfterMs: number;
};

const shapesPerPower = 40;
const intervalsMs: Readonly<Record<ChargeKind, number>> = { dc: minuteMs, ac: 5 * minuteMs, 'two-wheel': 5 * minuteMs };
const longestMs: Readonly<Record<ChargeKind, number>> = { dc: 2.5 * hourMs, ac: 11 * hourMs, 'two-wheel': 10 * hourMs };

export type ShapeCatalogue = (kind: ChargeKind, powerKw: number, random: Random) => ChargeShape;

/** Shapes are drawn on first use; the same seed gives the same shapes in any order of use. */
export function openShapes(seed: string): ShapeCatalogue {
  const random = seeded(seed).fork('shapes');
  const known = new Map<string, ChargeShape>();
  return (kind, powerKw, draw) => {
    const key = `${kind} ${powerKw} ${draw.integer(1, shapesPerPower)}`;
    let shape = known.get(key);
    if (shape === undefined) {
      shape = drawShape(kind, powerKw, random.fork(key));
      known.set(key, shape);
    }
    return shape;
  };
}

function drawShape(kind: ChargeKind, powerKw: number, random: Random): ChargeShape {
  const vehicle = drawVehicle(kind, random.fork('vehicle'));
  const ambientC = Math.round(random.between(8, 30) * 10) / 10;
  const curve = createCurve({
    kind,
    powerMaxW: powerKw * 1_000,
    vehicle,
    ambientC,
    random: random.fork('curve'),
  });
  const intervalMs = intervalsMs[kind];
  const energyWh: number[] = [];
  const powerW: number[] = [];
  const currentMa: number[] = [];
  const voltageMv: number[] = [];
  const temperatureC: number[] = [];
  const socPercent: number[] = [];
  for (let elapsedMs = 0; ; elapsedMs += intervalMs) {
    const point = elapsedMs === 0 ? curve.point : curve.advance(intervalMs);
    energyWh.push(point.energyWh);
    powerW.push(Math.round(point.powerW));
    currentMa.push(Math.round(point.currentA * 1_000));
    voltageMv.push(Math.round(point.voltageV * 1_000));
    temperatureC.push(Math.round(point.temperatureC * 10) / 10);
    socPercent.push(Math.floor(point.socPercent));
    if (elapsedMs > 0 && (point.full || elapsedMs >= longestMs[kind])) {
      return {
        intervalMs,
        energyWh,
        powerW,
        currentMa,
        voltageMv,
        temperatureC,
        ambientC,
        socPercent: kind === 'dc' ? socPercent : null,
        fullAfterMs: elapsedMs,
      };
    }
  }
}

/** Energy of a shape after a time within it, in Wh with fractions. */
export function energyAfter(shape: ChargeShape, elapsedMs: number): number {
  const place = Math.min(elapsedMs, shape.fullAfterMs) / shape.intervalMs;
  const before = Math.floor(place);
  const from = shape.energyWh[before] ?? 0;
  const to = shape.energyWh[before + 1] ?? from;
  return from + (to - from) * (place - before);
}
