/** One point of the charging curve; null where the station sent no value. */
export type CurvePoint = {
  atMs: number;
  powerKw: number | null;
  energyKwh: number | null;
  socPercent: number | null;
};

export type CurveReading = {
  at: string;
  energyWh: number | null;
  powerW: number | null;
  socPercent: number | null;
};

/** No screen is wider; more points only cost time. */
export const curvePointsMax = 1_000;

/** A silence of this many usual intervals is drawn as a gap, not as a straight line. */
const gapIntervals = 5;
/** Meters that report seldom by design have no gaps. */
const gapMsMin = 3 * 60_000;

/** Points in order of time, one per instant (the later reading wins), in kW and kWh. */
export function curveOf(readings: readonly CurveReading[]): CurvePoint[] {
  const byTime = new Map<number, CurvePoint>();
  for (const reading of readings) {
    byTime.set(Date.parse(reading.at), {
      atMs: Date.parse(reading.at),
      powerKw: reading.powerW === null ? null : reading.powerW / 1000,
      energyKwh: reading.energyWh === null ? null : reading.energyWh / 1000,
      socPercent: reading.socPercent,
    });
  }
  return [...byTime.values()].sort((a, b) => a.atMs - b.atMs);
}

/**
 * Extends the curve to the start and end of the charge: registers were read at both even without samples. `energyWh` is
 * the energy of the whole charge; a running charge has no end yet.
 */
export function withEnds(
  points: readonly CurvePoint[],
  charge: { startedAtMs: number; endedAtMs: number | null; energyWh: number },
): CurvePoint[] {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = { atMs: charge.startedAtMs, powerKw: null, energyKwh: 0, socPercent: null };
  const whole = [...(first.atMs > charge.startedAtMs ? [start] : []), ...points];
  if (charge.endedAtMs === null || last.atMs >= charge.endedAtMs) return whole;
  return [...whole, { atMs: charge.endedAtMs, powerKw: null, energyKwh: charge.energyWh / 1000, socPercent: null }];
}

/** Pauses without readings: longer than five usual intervals and longer than three minutes. */
export function gapsOf(points: readonly CurvePoint[]): { fromMs: number; toMs: number }[] {
  const spans = points.slice(1).map((point, index) => point.atMs - (points[index]?.atMs ?? point.atMs));
  if (spans.length < 2) return [];
  const usual = [...spans].sort((a, b) => a - b)[Math.floor(spans.length / 2)] ?? 0;
  const limit = Math.max(gapMsMin, usual * gapIntervals);
  return spans.flatMap((span, index) => {
    const from = points[index];
    return span > limit && from !== undefined ? [{ fromMs: from.atMs, toMs: from.atMs + span }] : [];
  });
}

/**
 * At most `max` points that look the same: each bucket of time keeps its lowest and highest power; the first and the
 * last point stay.
 */
export function thinCurve(points: readonly CurvePoint[], max = curvePointsMax): CurvePoint[] {
  if (points.length <= max) return [...points];
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const buckets = Math.max(1, Math.floor((max - 2) / 2));
  const inner = points.slice(1, -1);
  const kept: CurvePoint[] = [first];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const part = inner.slice(
      Math.floor((bucket * inner.length) / buckets),
      Math.floor(((bucket + 1) * inner.length) / buckets),
    );
    let low = part[0];
    let high = part[0];
    for (const point of part) {
      if (low !== undefined && (point.powerKw ?? 0) < (low.powerKw ?? 0)) low = point;
      if (high !== undefined && (point.powerKw ?? 0) > (high.powerKw ?? 0)) high = point;
    }
    if (low === undefined || high === undefined) continue;
    if (low === high) kept.push(low);
    else kept.push(...(low.atMs < high.atMs ? [low, high] : [high, low]));
  }
  kept.push(last);
  return kept;
}

/** Adds an event's reading to a curve; older readings are ignored. */
export function extendCurve(points: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  const last = points.at(-1);
  if (last !== undefined && point.atMs <= last.atMs) return points;
  const longer = [...points, point];
  return longer.length > curvePointsMax * 2 ? thinCurve(longer) : longer;
}

export type CurveFacts = { peakKw: number | null; meanKw: number | null; fromSoc: number | null; toSoc: number | null };

/** Peaks may fall between samples, but a mean higher than this above all of them comes from a meter jump. */
const meanAbovePeakMax = 1.5;

/** The figures beside the curve. The mean is energy over time, not the mean of samples. */
export function curveFacts(points: readonly CurvePoint[]): CurveFacts {
  const powers = points.flatMap((point) => (point.powerKw === null ? [] : [point.powerKw]));
  const socs = points.flatMap((point) => (point.socPercent === null ? [] : [point.socPercent]));
  const metered = points.filter((point) => point.energyKwh !== null);
  const first = metered[0];
  const last = metered.at(-1);
  const hours = first === undefined || last === undefined ? 0 : (last.atMs - first.atMs) / 3_600_000;
  const peakKw = powers.length === 0 ? null : powers.reduce((high, power) => Math.max(high, power), 0);
  const meanKw = hours > 0 ? ((last?.energyKwh ?? 0) - (first?.energyKwh ?? 0)) / hours : null;
  return {
    peakKw,
    meanKw: peakKw !== null && meanKw !== null && meanKw > peakKw * meanAbovePeakMax ? null : meanKw,
    fromSoc: socs[0] ?? null,
    toSoc: socs.at(-1) ?? null,
  };
}
