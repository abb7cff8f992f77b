import * as firstSteps from '@voltdeck/contract/first-steps';
import * as contract from '@voltdeck/contract/overview';
import { searchRecords as searchRoute } from '@voltdeck/contract/search';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { findFirstSteps } from './find-first-steps.ts';
import { type Summary, summarise } from './queries.ts';
import { sitesWithin, tallyRegions } from './region-tallies.ts';
import { searchRecords } from './search-records.ts';
import { showFirstSteps } from './show-first-steps.ts';
import { createSiteBoards } from './site-board.ts';
import { listWallPorts } from './wall-ports.ts';

const summariesKeptMax = 1_000;

export function bindOverview({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const kept = new Map<string, { at: Instant; summary: Promise<Summary> }>();

  const boardFor = createSiteBoards(db);

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
  bind(contract.listMapSites, async ({ caller, at }) => {
    const { sites } = await boardFor(caller, at);
    return ok(sites.map(({ nameRank: _, ...site }) => site));
  });
  bind(contract.listSitePlaces, async ({ caller, at }) => ok((await boardFor(caller, at)).columns));
  bind(contract.listSiteStates, async ({ caller, at }) => {
    const { revision, ports } = (await boardFor(caller, at)).columns;
    return ok({ revision, ports });
  });
  bind(contract.listRegionTallies, async ({ caller, at, query }) => {
    const { sites } = await boardFor(caller, at);
    return ok(tallyRegions(sites, query.regionCode ?? null, caller.language));
  });
  bind(contract.listRegionSites, async ({ caller, at, query }) => {
    const { sites } = await boardFor(caller, at);
    const { regionCode = null, own = false, text = '', count = contract.regionSitesUsual, reaching = null } = query;
    return ok(sitesWithin(sites, { regionCode, own, text, count, reaching }));
  });
  bind(contract.listWallPorts, async ({ caller, at, query }) => {
    const { sites } = await boardFor(caller, at);
    const { siteId = null, regionCode = null, page = 1 } = query;
    return ok(await listWallPorts(db, caller, sites, { siteId, regionCode, page }));
  });
  bind(firstSteps.getFirstSteps, async ({ caller, query, at }) =>
    ok(await findFirstSteps(db, caller, { always: query.always ?? false, at })),
  );
  bind(firstSteps.showFirstSteps, ({ caller, body, transact }) =>
    transact((trx) => showFirstSteps(trx, caller, body.shown)),
  );
}
