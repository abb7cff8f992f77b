import type { ChargeLog } from '@voltdeck/contract/readings';
import { instant, parseIso, toIso } from '@voltdeck/units/instant';

type CurvePoint = ChargeLog['points'][number];
type Field = Exclude<keyof CurvePoint, 'at'>;

/** A curve by columns: a tenth of the size of its points as objects, since ten names are not repeated 120 times. */
export type KeptCurve = {
  /** Time of the first point, UTC. */
  from: string;
  /** Time of each point, ms after `from`. */
  afterMs: readonly number[];
  /** The fields that any point has. */
  fields: Partial<{ readonly [F in Field]: readonly CurvePoint[F][] }>;
};

const fields = [
  'energyWh',
  'powerW',
  'currentMa',
  'voltageMv',
  'socPercent',
  'vehicleTemperatureC',
  'cableTemperatureC',
  'ambientTemperatureC',
  'doubt',
] as const satisfies readonly Field[];

/** Null for a charge without readings. */
export function packCurve(points: readonly CurvePoint[]): KeptCurve | null {
  const [first] = points;
  if (first === undefined) return null;
  const fromMs = Date.parse(first.at);
  const present = fields.filter((field) => points.some((point) => point[field] !== null));
  return {
    from: first.at,
    afterMs: points.map(({ at }) => Date.parse(at) - fromMs),
    fields: Object.fromEntries(present.map((field) => [field, points.map((point) => point[field])])),
  };
}

export function unpackCurve(kept: KeptCurve | null): CurvePoint[] {
  const start = kept === null ? null : parseIso(kept.from);
  if (kept === null || start === null) return [];
  const { afterMs, fields: columns } = kept;
  return afterMs.map((after, index) => {
    const values = fields.map((field) => [field, columns[field]?.[index] ?? null]);
    return { at: toIso(instant(start + after)), ...Object.fromEntries(values) } as CurvePoint;
  });
}
