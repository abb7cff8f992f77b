import { provinceCodeOf, type RegionCode } from './regions.ts';

/**
 * The datums of Chinese maps. Positions are stored in WGS-84, which CGCS2000 and Tianditu match to within a metre; AMap
 * and Tencent show GCJ-02, shifted by some hundred metres, and Baidu BD-09, which shifts that once more.
 */
export const datums = ['wgs84', 'gcj02', 'bd09'] as const;
export type Datum = (typeof datums)[number];

/** Degrees. */
export interface Point {
  longitude: number;
  latitude: number;
}

/** Krasovsky 1940, the ellipsoid that GCJ-02 shifts on: semi-major axis in metres and squared eccentricity. */
const axisM = 6_378_245;
const eccentricity2 = 0.006_693_421_622_965_943;
/** The origin of the shift's series. */
const origin = { longitude: 105, latitude: 35 } as const;
/** Beyond this box nothing is shifted. */
const shiftedBox = { west: 72.004, east: 137.8347, south: 0.8293, north: 55.8271 } as const;
/** Baidu's offsets in degrees, and the frequency of its wave. */
const baidu = { longitude: 0.0065, latitude: 0.006, wave: (Math.PI * 3000) / 180 } as const;

/** An inverse is found in a few steps; its error is then far below the last decimal that anybody stores. */
const stepsMax = 30;
const precision = 1e-10;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function isShifted({ longitude, latitude }: Point): boolean {
  const { west, east, south, north } = shiftedBox;
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}

/** Three pairs of sines at the given frequencies, as both series of GCJ-02 have them. */
const waves = (x: number, amplitudes: readonly (readonly [amplitude: number, frequency: number])[]) =>
  (amplitudes.reduce((sum, [amplitude, frequency]) => sum + amplitude * Math.sin(x * frequency * Math.PI), 0) * 2) / 3;

const ripple = [
  [20, 6],
  [20, 2],
] as const;

/**
 * The shift of GCJ-02, in metres to the north and east. The series was never published officially; these coefficients
 * are the ones that every public implementation agrees on (Wikipedia, "Restrictions on geographic data in China").
 */
function shiftM({ longitude, latitude }: Point): { north: number; east: number } {
  const [x, y] = [longitude - origin.longitude, latitude - origin.latitude];
  const root = Math.sqrt(Math.abs(x));
  const common = waves(x, ripple);
  const north = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * root + common;
  const east = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * root + common;
  return {
    north:
      north +
      waves(y, [
        [20, 1],
        [40, 1 / 3],
      ]) +
      waves(y, [
        [160, 1 / 12],
        [320, 1 / 30],
      ]),
    east:
      east +
      waves(x, [
        [20, 1],
        [40, 1 / 3],
      ]) +
      waves(x, [
        [150, 1 / 12],
        [300, 1 / 30],
      ]),
  };
}

function gcj02Of(point: Point): Point {
  if (!isShifted(point)) return point;
  const { north, east } = shiftM(point);
  const sine = Math.sin(radians(point.latitude));
  const flattened = 1 - eccentricity2 * sine * sine;
  const meridianM = (axisM * (1 - eccentricity2)) / (flattened * Math.sqrt(flattened));
  const parallelM = (axisM / Math.sqrt(flattened)) * Math.cos(radians(point.latitude));
  return {
    longitude: point.longitude + (east / parallelM) * (180 / Math.PI),
    latitude: point.latitude + (north / meridianM) * (180 / Math.PI),
  };
}

function bd09Of({ longitude, latitude }: Point): Point {
  const radius = Math.hypot(longitude, latitude) + 0.000_02 * Math.sin(latitude * baidu.wave);
  const angle = Math.atan2(latitude, longitude) + 0.000_003 * Math.cos(longitude * baidu.wave);
  return {
    longitude: radius * Math.cos(angle) + baidu.longitude,
    latitude: radius * Math.sin(angle) + baidu.latitude,
  };
}

const ofWgs84: Readonly<Record<Datum, (point: Point) => Point>> = {
  wgs84: (point) => point,
  gcj02: gcj02Of,
  bd09: (point) => (isShifted(point) ? bd09Of(gcj02Of(point)) : point),
};

/** A WGS-84 point in another datum. Points outside China stay. */
export function fromWgs84(point: Point, datum: Datum): Point {
  return ofWgs84[datum](point);
}

/** The WGS-84 point that another datum shows here: `fromWgs84` undone, by correcting a guess with its own error. */
export function toWgs84(point: Point, datum: Datum): Point {
  if (datum === 'wgs84' || !isShifted(point)) return point;
  let guess = point;
  for (let step = 0; step < stepsMax; step += 1) {
    const shown = ofWgs84[datum](guess);
    const east = point.longitude - shown.longitude;
    const north = point.latitude - shown.latitude;
    guess = { longitude: guess.longitude + east, latitude: guess.latitude + north };
    if (Math.abs(east) < precision && Math.abs(north) < precision) break;
  }
  return guess;
}

/** Maps of Taiwan are not known to be shifted, so points there are the same in every datum. */
export function isShiftedRegion(code: RegionCode): boolean {
  return provinceCodeOf(code) !== '710000';
}
