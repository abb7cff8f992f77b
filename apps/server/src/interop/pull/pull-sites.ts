import type { PartnerFault } from '@voltdeck/contract/partner-faults';
import { type PullKind, pullChangesMax } from '@voltdeck/contract/partner-pulls';
import { pageSizeMax } from '@voltdeck/tcec102/conversation';
import { stationIdsMax } from '@voltdeck/tcec102/messages/public';
import type { LeftOutItem } from '@voltdeck/tcec102/messages/read-message';
import { portStateOf, siteOf } from '@voltdeck/tcec102/translate';
import type { PartnerId, PartnerPullId, UserId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { transact } from '../../database/transact.ts';
import type { CallFault, PartnerCaller, PartnerLine } from '../deliver/partner-caller.ts';
import { findPartnerById, type Partner } from '../partner.ts';
import { FollowedList, listLimits } from './followed-list.ts';
import { takeLastTold } from './take-last-told.ts';
import {
  keepChanges,
  noteListed,
  noteMissing,
  type PullChange,
  writePulledSites,
  writePulledStates,
} from './write-pulled-sites.ts';

/** A pull that its node left behind is over after this. */
const pullLasts = hourMs;

export type PullOutcome =
  | { kind: 'done'; sites: number; added: number; changed: number; missing: number; left_out: number }
  | { kind: 'failed'; fault: PartnerFault; because: string }
  | { kind: 'running' };

type Ended = Exclude<PullOutcome, { kind: 'running' }>;

/**
 * Pulls the stations that a partner opened to us, and what their gun ports are doing: all of them, or those that changed
 * since the pull before. Each page counts as soon as it was read.
 */
export async function pullSites(
  context: Context<'console'>,
  caller: PartnerCaller,
  partnerId: PartnerId,
  by: { kind: PullKind; userId: UserId | null },
): Promise<PullOutcome> {
  const pullId = await beginPull(context.database.db, partnerId, by, context.now());
  if (pullId === null) return { kind: 'running' };
  return (await runPull(context, caller, pullId)) ?? { kind: 'running' };
}

/** Begins a pull, which `runPull` carries out; null while another one of the partner runs. */
export async function beginPull(
  db: Kysely<Tables>,
  partnerId: PartnerId,
  { kind, userId }: { kind: PullKind; userId: UserId | null },
  at: Instant,
): Promise<PartnerPullId | null> {
  await db
    .updateTable('partner_pulls')
    .set({ state: 'failed', fault: 'abandoned', ended_at: at })
    .where('partner_id', '=', partnerId)
    .where('state', '=', 'running')
    .where('started_at', '<', instant(at - pullLasts))
    .execute();
  const isFirst = (await lastPullOf(db, partnerId)) === null;
  const pull = await db
    .insertInto('partner_pulls')
    .values({ partner_id: partnerId, kind: isFirst ? 'full' : kind, started_at: at, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return pull?.id ?? null;
}

/**
 * Carries out a pull that was begun, from its beginning; null where it has ended already.
 * @throws where the database is away: the pull can be carried out again
 */
export async function runPull(
  context: Context<'console'>,
  caller: PartnerCaller,
  pullId: PartnerPullId,
): Promise<Ended | null> {
  const { db } = context.database;
  const pull = await db
    .selectFrom('partner_pulls')
    .select(['id', 'partner_id as partnerId', 'kind', 'started_at as startedAt'])
    .where('id', '=', pullId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  const partner = pull === undefined ? null : await findPartnerById(db, pull.partnerId);
  if (pull === undefined || partner === null) return null;
  const since = pull.kind === 'full' ? null : await lastPullOf(db, partner.id);
  const outcome = await readPages(context, caller, partner, { ...pull, since }).catch((error): Ended => {
    if (isDatabaseAway(error)) throw error;
    context.log.error({ err: error, pullId, partnerId: partner.id }, 'partners: a pull broke');
    return { kind: 'failed', fault: 'own_fault', because: '' };
  });
  const { kind: ended, ...rest } = outcome;
  await db
    .updateTable('partner_pulls')
    .set({
      state: ended,
      ended_at: context.now(),
      ...('because' in rest ? { fault: rest.fault, failure: rest.because } : rest),
    })
    .where('id', '=', pullId)
    .where('state', '=', 'running')
    .execute();
  context.bus.publish({ agentId: null, event: { kind: 'partner-pull-changed', pullId, partnerId: partner.id } });
  return outcome;
}

/** When the last pull that came to its end began; what changed while it ran is asked for again. */
async function lastPullOf(db: Kysely<Tables>, partnerId: PartnerId): Promise<Instant | null> {
  const row = await db
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
  { id: pullId, since, startedAt }: { id: PartnerPullId; since: Instant | null; startedAt: Instant },
): Promise<Ended> {
  const { db } = context.database;
  const line = await caller.open(partner);
  const counts = { sites: 0, added: 0, changed: 0, missing: 0, left_out: 0 };
  let keptMax = pullChangesMax - (await changesOf(db, pullId));
  let hasNameless = false;
  const list = new FollowedList();
  const overAt = instant(context.now() + listLimits.ms);
  for (let pageNo = 1; list.hasPage(pageNo); pageNo += 1) {
    if (context.now() > overAt) return { kind: 'failed', fault: 'list_too_slow', because: `PageNo ${pageNo}` };
    const asked = { PageNo: pageNo, PageSize: pageSizeMax, ...(since === null ? {} : { LastQueryTime: since }) };
    const got = await caller.call(line, 'query_stations_info', asked);
    if (got.kind === 'failed') return failure(got);
    const { StationInfos: infos } = got.answer;
    const unreadIds = got.leftOut.map(({ id }) => id);
    const fault = list.take(pageNo, got.answer, [...infos.map(({ StationID: id }) => id), ...unreadIds]);
    if (fault !== null) return { kind: 'failed', ...fault };
    const { sites, doubles } = takeLastTold(infos.map((info) => siteOf(info, partner.profile)));
    const siteCodes = sites.map(({ id }) => id);
    const siteCount = await countSites(db, partner.id, siteCodes);
    if (siteCount > listLimits.sites) {
      const because = `PageNo ${pageNo}: ${siteCount} > ${listLimits.sites} StationID`;
      return { kind: 'failed', fault: 'list_too_long', because };
    }
    const states = await readStates(caller, line, siteCodes);
    const stateFaults = states.kind === 'read' ? states.leftOut : [];
    hasNameless ||= unreadIds.includes(null);
    const unread = [
      ...[...got.leftOut, ...stateFaults].map((item) => leftOut(pageNo, item)),
      ...doubles.map(({ field, code }) =>
        leftOut(pageNo, { path: `${field} ${code}`, because: 'told-twice', id: null }),
      ),
    ];
    const written = await transact(db, async (trx) => {
      const { changes, ...found } = await writePulledSites(trx, partner.id, sites, startedAt);
      const kept = [...unread, ...changes].slice(0, keptMax);
      await noteListed(
        trx,
        partner.id,
        unreadIds.filter((id) => id !== null),
        startedAt,
      );
      await keepChanges(trx, pullId, kept);
      return { ok: true, value: { ...found, kept: kept.length } } as const;
    });
    if (!written.ok) throw new Error(`a page of sites was not written: ${written.error.code}`);
    keptMax -= written.value.kept;
    counts.sites += sites.length;
    counts.added += written.value.added;
    counts.changed += written.value.changed;
    counts.left_out += unread.length;
    if (states.kind === 'failed') return failure(states);
    await db.transaction().execute((trx) => writePulledStates(trx, partner.id, states.ports, context.now()));
  }
  const gap = since === null ? list.gap() : null;
  if (gap !== null) return { kind: 'failed', ...gap };
  // What cannot even be named may be any of those that were known.
  if (since === null && !hasNameless) {
    const of = { partnerId: partner.id, pullId, keptMax };
    counts.missing = await db.transaction().execute((trx) => noteMissing(trx, of, startedAt));
  }
  return { kind: 'done', ...counts };
}

/** How many sites of a partner are known once these are. */
async function countSites(db: Kysely<Tables>, partnerId: PartnerId, siteCodes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from pulled_sites where partner_id = ${partnerId})::integer
           + (select count(*) from unnest(${siteCodes}::text[]) as given (code)
               where not exists (select from pulled_sites s
                                  where s.partner_id = ${partnerId} and s.code = given.code))::integer as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How many a try of the same pull that broke off has kept. */
async function changesOf(db: Kysely<Tables>, pullId: PartnerPullId): Promise<number> {
  const { count } = await db
    .selectFrom('partner_pull_changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pull_id', '=', pullId)
    .executeTakeFirstOrThrow();
  return count;
}

function leftOut(
  pageNo: number,
  { path, because, id }: Omit<LeftOutItem, 'because'> & { because: LeftOutItem['because'] | 'told-twice' },
): PullChange {
  const named = id === null ? '' : ` (${id})`;
  return { change: 'left_out', code: `PageNo ${pageNo}: ${path} ${because}${named}`, name: '' };
}

async function readStates(caller: PartnerCaller, line: PartnerLine, siteCodes: readonly string[]) {
  const ports = [];
  const unread: LeftOutItem[] = [];
  for (let from = 0; from < siteCodes.length; from += stationIdsMax) {
    const asked = { StationIDs: siteCodes.slice(from, from + stationIdsMax) };
    const got = await caller.call(line, 'query_station_status', asked);
    if (got.kind === 'failed') return got;
    unread.push(...got.leftOut);
    ports.push(...got.answer.StationStatusInfos.flatMap((info) => info.ConnectorStatusInfos.map(portStateOf)));
  }
  return { kind: 'read', ports, leftOut: unread } as const;
}

function failure({ fault, because, ret, httpStatus }: CallFault): Extract<PullOutcome, { kind: 'failed' }> {
  const where = ret === null ? (httpStatus === null ? '' : ` (HTTP ${httpStatus})`) : ` (Ret ${ret})`;
  return { kind: 'failed', fault, because: `${because}${where}`.trim() };
}
