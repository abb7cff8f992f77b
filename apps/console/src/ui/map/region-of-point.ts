import type { Point } from '@voltdeck/regions/datum';
import { provinceCodeOf, type RegionCode } from '@voltdeck/regions/regions';
import { type Division, divisionAt, loadCities, loadProvinces } from './basemap.ts';
import { ownBasemap } from './own-basemap.ts';

/** Outlines are simplified and stop at the shore; a point this near to one counts as inside. About a kilometre. */
const toleranceDegrees = 0.01;

export type Outlines = { provinces: readonly Division[]; cities: readonly Division[] };

/** Where a point lies that is outside its region: the division there, or null at sea and abroad. */
export type Outside = { expected: RegionCode; found: RegionCode | null };

let loading: Promise<Outlines> | null = null;

/** The outlines of the built-in map; the browser has them from the map that shows the point. */
export function loadOutlines(): Promise<Outlines> {
  loading ??= Promise.all([
    loadProvinces(ownBasemap.provinces, new AbortController().signal),
    loadCities(ownBasemap.cities, new AbortController().signal),
  ]).then(
    ([provinces, cities]) => ({ provinces: provinces.divisions, cities: cities.divisions }),
    (failure: unknown) => {
      loading = null;
      throw failure;
    },
  );
  return loading;
}

/** Null for a point in its region, as far as the outlines of provinces, cities and some districts can tell. */
export function outsideRegion(outlines: Outlines, regionCode: RegionCode, point: Point): Outside | null {
  const codes = [regionCode, `${regionCode.slice(0, 4)}00`, provinceCodeOf(regionCode)];
  const known = [...outlines.cities, ...outlines.provinces];
  const region = codes.flatMap((code) => known.filter((division) => division.code === code))[0];
  if (region === undefined || around(point).some(({ longitude, latitude }) => holds(region, longitude, latitude))) {
    return null;
  }
  const { longitude, latitude } = point;
  const found = divisionAt(outlines.cities, longitude, latitude) ?? divisionAt(outlines.provinces, longitude, latitude);
  return { expected: region.code, found: found?.code ?? null };
}

function holds(region: Division, longitude: number, latitude: number): boolean {
  return divisionAt([region], longitude, latitude) !== null;
}

/** The point and eight neighbours. */
function around({ longitude, latitude }: Point): readonly Point[] {
  const steps = [0, -toleranceDegrees, toleranceDegrees];
  return steps.flatMap((east) => steps.map((north) => ({ longitude: longitude + east, latitude: latitude + north })));
}
