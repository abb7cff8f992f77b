import { pageSizeMax } from '@voltdeck/tcec102/conversation';
import { stationIdsMax } from '@voltdeck/tcec102/messages/public';
import { portStateOf, siteOf } from '@voltdeck/tcec102/translate';
import type { PartnerId, UserId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { transact } from '../../database/transact.ts';
import type { CallFault, PartnerCaller, PartnerLine } from '../deliver/partner-caller.ts';
import { findPartnerById, type Partner } from '../partner.ts';
import { writePulledSites, writePulledStates } from './write-pulled-sites.ts';

/** Pages of one pull: a partner that counts on is not followed for ever. */
const pagesMax = 2_000;
/** A pull that its node left behind is over after this. */
const pullLasts = hourMs;

export type PullOutcome =
  | { kind: 'done'; sites: number; added: number; changed: number; missing: number }
  | { kind: 'failed'; because: string }
  | { kind: 'running' };

/**
 * Pulls the stations that a partner opened to us, and what their gun ports are doing: all of them, or those that changed
 * since the pull before. Each page counts as soon as it was read.
 */
export async function pullSites(
  context: Context<'console'>,
  caller: PartnerCaller,
  partnerId: PartnerId,
  { kind, userId }: { kind: 'full' | 'incremental'; userId: UserId | null },
): Promise<PullOutcome> {
  const { db } = context.database;
  const startedAt = context.now();
  const partner = await findPartnerById(db, partnerId);
  if (partner === null) return { kind: 'failed', because: 'unknown_partner' };
  await db
    .updateTable('partner_pulls')
    .set({ state: 'failed', failure: 'abandoned', ended_at: startedAt })
    .where('partner_id', '=', partnerId)
    .where('state', '=', 'running')
    .where('started_at', '<', instant(startedAt - pullLasts))
    .execute();
  const since = kind === 'full' ? null : await lastPullOf(context, partnerId);
  const pull = await db
    .insertInto('partner_pulls')
    .values({
      partner_id: partnerId,
      kind: since === null ? 'full' : 'incremental',
      started_at: startedAt,
      user_id: userId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (pull === undefined) return { kind: 'running' };
  const outcome = await readPages(context, caller, partner, since, startedAt);
  const { kind: ended, ...counts } = outcome;
  await db
    .updateTable('partner_pulls')
    .set({
      state: ended,
      ended_at: context.now(),
      ...('because' in counts ? { failure: counts.because } : counts),
    })
    .where('id', '=', pull.id)
    .execute();
  return outcome;
}

/** When the last pull that came to its end began; what changed while it ran is asked for again. */
async function lastPullOf({ database }: Context<'console'>, partnerId: PartnerId): Promise<Instant | null> {
  const row = await database.db
    .selectFrom('partner_pulls')
    .select('started_at as startedAt')
    .where('partner_id', '=', partnerId)
    .where('state', '=', 'done')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.startedAt ?? null;
}

async function readPages(
  context: Context<'console'>,
  caller: PartnerCaller,
  partner: Partner,
  since: Instant | null,
  startedAt: Instant,
): Promise<Exclude<PullOutcome, { kind: 'running' }>> {
  const { db } = context.database;
  const line = await caller.open(partner);
  const counts = { sites: 0, added: 0, changed: 0, missing: 0 };
  let pageCount = 1;
  for (let pageNo = 1; pageNo <= Math.min(pageCount, pagesMax); pageNo += 1) {
    const asked = { PageNo: pageNo, PageSize: pageSizeMax, ...(since === null ? {} : { LastQueryTime: since }) };
    const got = await caller.call(line, 'query_stations_info', asked);
    if (got.kind === 'failed') return failure(got);
    pageCount = got.answer.PageCount;
    const sites = got.answer.StationInfos.map((info) => siteOf(info, partner.profile));
    if (sites.length === 0) break;
    const written = await transact(db, async (trx) => {
      return { ok: true, value: await writePulledSites(trx, partner.id, sites, startedAt) } as const;
    });
    if (!written.ok) return { kind: 'failed', because: written.error.code };
    counts.sites += sites.length;
    counts.added += written.value.added;
    counts.changed += written.value.changed;
    const states = await readStates(
      caller,
      line,
      sites.map(({ id }) => id),
    );
    if (states.kind === 'failed') return failure(states);
    await db.transaction().execute((trx) => writePulledStates(trx, partner.id, states.ports, context.now()));
  }
  if (since === null) {
    const { numAffectedRows = 0n } = await sql`
      update pulled_sites set missing_at = to_timestamp(${startedAt} / 1000.0)
       where partner_id = ${partner.id} and missing_at is null and seen_at < to_timestamp(${startedAt} / 1000.0)`.execute(
      db,
    );
    counts.missing = Number(numAffectedRows);
  }
  return { kind: 'done', ...counts };
}

async function readStates(caller: PartnerCaller, line: PartnerLine, siteCodes: readonly string[]) {
  const ports = [];
  for (let from = 0; from < siteCodes.length; from += stationIdsMax) {
    const asked = { StationIDs: siteCodes.slice(from, from + stationIdsMax) };
    const got = await caller.call(line, 'query_station_status', asked);
    if (got.kind === 'failed') return got;
    ports.push(...got.answer.StationStatusInfos.flatMap((info) => info.ConnectorStatusInfos.map(portStateOf)));
  }
  return { kind: 'read', ports } as const;
}

function failure({ because, ret, httpStatus }: CallFault): Extract<PullOutcome, { kind: 'failed' }> {
  const where = ret === null ? (httpStatus === null ? '' : ` (HTTP ${httpStatus})`) : ` (Ret ${ret})`;
  return { kind: 'failed', because: `${because}${where}`.trim() };
}
