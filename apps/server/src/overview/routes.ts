import { getBigScreen } from '@voltdeck/contract/big-screen';
import * as firstSteps from '@voltdeck/contract/first-steps';
import * as contract from '@voltdeck/contract/overview';
import { wholeCode } from '@voltdeck/regions/regions';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import { atOneMoment } from '../database/transact.ts';
import type { Binder } from '../http/bind.ts';
import { findFirstSteps } from './find-first-steps.ts';
import { keptByKey, scopeKey } from './kept-by-key.ts';
import { type Summary, summarise } from './queries.ts';
import { createScreenReader } from './read-screen.ts';
import { sitesWithin, tallyRegions } from './region-tallies.ts';
import { showFirstSteps } from './show-first-steps.ts';
import { createSiteBoards } from './site-board.ts';
import { createPortWall } from './wall-ports.ts';

const summariesKeptMax = 1_000;

export function bindOverview({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const now = () => context.now();
  const summaries = keptByKey<Summary>({ max: summariesKeptMax, keptMs: contract.summaryKeptMs, now });
  const boardFor = createSiteBoards(db, now);
  const wallOf = createPortWall(db, now);
  const readScreen = createScreenReader(db, now);

  bind(contract.getSummary, async ({ caller, at }) =>
    ok(await summaries(scopeKey(caller), () => atOneMoment(db, (trx) => summarise(trx, caller, at)))),
  );
  bind(getBigScreen, async ({ caller, at }) => ok(await readScreen(caller, at)));
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
    const { regionCode } = query;
    return ok(tallyRegions(sites, regionCode === undefined ? null : wholeCode(regionCode), caller.language));
  });
  bind(contract.listRegionSites, async ({ caller, at, query }) => {
    const { sites } = await boardFor(caller, at);
    const { own = false, text = '', count = contract.regionSitesUsual, reaching = null } = query;
    const regionCode = query.regionCode === undefined ? null : wholeCode(query.regionCode);
    return ok(sitesWithin(sites, { regionCode, own, text, count, reaching }));
  });
  bind(contract.listWallPorts, async ({ caller, at, query }) => {
    const { sites } = await boardFor(caller, at);
    const { siteId = null, page = 1 } = query;
    const regionCode = query.regionCode === undefined ? null : wholeCode(query.regionCode);
    return ok(await wallOf(caller, sites, { siteId, regionCode, page }));
  });
  bind(firstSteps.getFirstSteps, async ({ caller, query, at }) =>
    ok(await findFirstSteps(db, caller, { always: query.always ?? false, at })),
  );
  bind(firstSteps.showFirstSteps, ({ caller, body, transact }) =>
    transact((trx) => showFirstSteps(trx, caller, body.shown)),
  );
}
