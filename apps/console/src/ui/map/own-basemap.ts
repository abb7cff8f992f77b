import type { BasemapFiles } from './basemap.ts';
import { basemapFiles } from './basemap-files.generated.ts';

/** The map that comes with the console. */
export const ownBasemap: BasemapFiles = {
  world: import.meta.env.BASE_URL + basemapFiles.world,
  provinces: import.meta.env.BASE_URL + basemapFiles.provinces,
  cities: import.meta.env.BASE_URL + basemapFiles.cities,
};
