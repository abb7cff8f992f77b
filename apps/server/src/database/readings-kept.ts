import type { Kysely } from 'kysely';
import { keptDays } from './kept-days.ts';
import type { Tables } from './tables.generated.ts';

/** The parameter for how many days readings and BMS messages are kept. */
export const readingsKept = { key: 'readings_kept_days', leastDays: 30, mostDays: 3_650 } as const;

export function isReadingsKept(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= readingsKept.leastDays && Number(text) <= readingsKept.mostDays;
}

/** The days in force; the default where the parameter is missing or invalid. */
export async function readReadingsKept(db: Kysely<Tables>): Promise<number> {
  const config = await db.selectFrom('configs').select('value').where('key', '=', readingsKept.key).executeTakeFirst();
  return config !== undefined && isReadingsKept(config.value) ? Number(config.value) : keptDays.readings;
}
