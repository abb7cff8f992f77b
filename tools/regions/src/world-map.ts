import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Feature, MultiPolygon, Polygon } from 'geojson';

const require = createRequire(import.meta.url);

export type CountryShape = Feature<Polygon | MultiPolygon, { name: string; iso_a2: string }>;

/** The countries of `@surbowl/world-geo-json-zh`, WGS-84, China as one shape with its islands and the ten dashes. */
export function readWorld(): CountryShape[] {
  const file = require.resolve('@surbowl/world-geo-json-zh/world.zh.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { features: CountryShape[] }).features;
}
