/** Made by tools/regions/src/build-basemap.ts: the files below apps/console/public. */
export const basemapFiles = {
  world: 'geo/world.eca60888.json',
  provinces: 'geo/provinces.9b4d1d80.json',
  cities: 'geo/cities.2f8f9915.json',
} as const;
