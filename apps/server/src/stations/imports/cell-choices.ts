import { equipmentTypes, protocols, stationTypes } from '@voltdeck/charging/states';
import type { StationImportColumn } from '@voltdeck/contract/station-imports';

/** The first of each stands in the example of the template, unless that names another. */
export const cellChoices = {
  protocol: protocols,
  type: stationTypes,
  equipmentType: equipmentTypes,
  free: ['charged', 'free'],
} as const satisfies Partial<Record<StationImportColumn, readonly string[]>>;
