import { createRequire } from 'node:module';
import type Gcoord from 'gcoord';
import type { Position } from 'geojson';

// The library's types describe its ES build, but Node loads the CommonJS one without a default export.
const gcoord = createRequire(import.meta.url)('gcoord') as typeof Gcoord.default;

/** Converts a point of a Chinese map (GCJ-02, the shifted datum) to WGS-84; points outside China stay. Degrees. */
export function gcj02ToWgs84([longitude = 0, latitude = 0]: Position): [number, number] {
  return gcoord.transform<[number, number]>([longitude, latitude], gcoord.GCJ02, gcoord.WGS84);
}
