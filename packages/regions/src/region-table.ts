import rows from './regions.generated.json' with { type: 'json' };
import { openRegions, type RegionTable } from './regions.ts';

/** Every region. About 80 KiB compressed: the console imports this file lazily, the server at its start. */
export const regionTable: RegionTable = openRegions(rows);
