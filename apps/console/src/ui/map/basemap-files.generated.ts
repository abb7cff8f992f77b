/** Made by tools/regions/src/build-basemap.ts: the files below apps/console/public. */
export const basemapFiles = {
  world: 'geo/world.eca60888.json',
  provinces: 'geo/provinces.63e92573.json',
  cities: 'geo/cities.8d2cf7da.json',
} as const;
