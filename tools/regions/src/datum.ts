import { toWgs84 } from '@voltdeck/regions/datum';
import type { Position } from 'geojson';

/** Converts a point of a Chinese map (GCJ-02, the shifted datum) to WGS-84; points outside China stay. Degrees. */
export function gcj02ToWgs84([x = 0, y = 0]: Position): [number, number] {
  const { longitude, latitude } = toWgs84({ longitude: x, latitude: y }, 'gcj02');
  return [longitude, latitude];
}
