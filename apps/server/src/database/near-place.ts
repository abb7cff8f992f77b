import { type RawBuilder, sql } from 'kysely';

/** WGS-84, in degrees. */
export type Place = { longitude: number; latitude: number };

const metresPerDegree = 111_320;

/** Metres from a place to the one in the columns `longitude` and `latitude` of `alias`. */
export function metresFrom(alias: string, { longitude, latitude }: Place): RawBuilder<number> {
  const there = { longitude: sql.ref(`${alias}.longitude`), latitude: sql.ref(`${alias}.latitude`) };
  return sql<number>`round(12742000 * asin(least(1, sqrt(
    sin(radians(${there.latitude} - ${latitude}::float8) / 2) ^ 2
    + cos(radians(${latitude}::float8)) * cos(radians(${there.latitude}))
      * sin(radians(${there.longitude} - ${longitude}::float8) / 2) ^ 2))))::integer`;
}

/** Whether the one in the columns lies in the circle. The box around it, which an index finds, is asked first. */
export function isNear(alias: string, place: Place, radiusM: number): RawBuilder<boolean> {
  const { longitude, latitude } = place;
  const byLatitude = radiusM / metresPerDegree;
  const byLongitude = byLatitude / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const there = { longitude: sql.ref(`${alias}.longitude`), latitude: sql.ref(`${alias}.latitude`) };
  return sql<boolean>`(${there.latitude} >= ${latitude - byLatitude} and ${there.latitude} <= ${latitude + byLatitude}
    and ${there.longitude} >= ${longitude - byLongitude} and ${there.longitude} <= ${longitude + byLongitude}
    and ${metresFrom(alias, place)} <= ${radiusM})`;
}
