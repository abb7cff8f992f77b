import * as contract from '@voltdeck/contract/overview';
import { searchRecords as searchRoute } from '@voltdeck/contract/search';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { listMapSites, type Summary, summarise } from './queries.ts';
import { searchRecords } from './search-records.ts';

const summariesKeptMax = 1_000;

export function bindOverview({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const kept = new Map<string, { at: Instant; summary: Promise<Summary> }>();

  const summaryFor = (caller: Caller, now: Instant): Promise<Summary> => {
    const scope = caller.agents === 'all' ? 'all' : caller.agents.join();
    const found = kept.get(scope);
    if (found !== undefined && now >= found.at && now - found.at < contract.summaryKeptMs) return found.summary;
    if (kept.size >= summariesKeptMax) kept.clear();
    const summary = summarise(db, caller, now);
    kept.set(scope, { at: now, summary });
    summary.catch(() => kept.delete(scope));
    return summary;
  };

  bind(contract.getSummary, async ({ caller, at }) => ok(await summaryFor(caller, at)));
  bind(searchRoute, async ({ caller, query }) => ok(await searchRecords(db, caller, query.text)));
  bind(contract.listMapSites, async ({ caller }) => ok(await listMapSites(db, caller)));
}
