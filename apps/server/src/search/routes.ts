import { searchRecords as route } from '@voltdeck/contract/search';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { searchRecords } from './search-records.ts';

export function bindSearch({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.on('search').database;
  bind(route, async ({ caller, query, at }, gone) => ok(await searchRecords(db, caller, query.text, { at, gone })));
}
