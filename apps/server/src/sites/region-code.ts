import { regionTable } from '@voltdeck/regions/region-table';
import { childrenOf, regionByCode } from '@voltdeck/regions/regions';

/** Whether a code names a place exactly: a county, or a city without counties. */
export function isRegionCode(code: string): boolean {
  return regionByCode(regionTable, code) !== null && childrenOf(regionTable, code).length === 0;
}
