import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import {
  type clearShareTerms,
  type DefaultShareTerms,
  listShareTerms,
  type setDefaultShareTerms,
  type setShareTerms,
} from '@voltdeck/contract/share-terms';
import { codesWithin } from '@voltdeck/regions/regions';
import type { SiteId } from '@voltdeck/units/id';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { type AuditEntry, audit, auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';

type Percents = BodyOf<typeof setDefaultShareTerms>;
type Rates = { channel_fee_e4: number; electricity_e4: number; service_e4: number; occupancy_e4: number };

const ratesOf = (percents: Percents): Rates => ({
  channel_fee_e4: Math.round(percents.channelFeePercent * 100),
  electricity_e4: Math.round(percents.electricityPercent * 100),
  service_e4: Math.round(percents.servicePercent * 100),
  occupancy_e4: Math.round(percents.occupancyPercent * 100),
});
const percentsOf = (rates: Rates): Percents => ({
  channelFeePercent: rates.channel_fee_e4 / 100,
  electricityPercent: rates.electricity_e4 / 100,
  servicePercent: rates.service_e4 / 100,
  occupancyPercent: rates.occupancy_e4 / 100,
});
const nothingKept: Rates = { channel_fee_e4: 0, electricity_e4: 0, service_e4: 0, occupancy_e4: 0 };

const percentAt = (column: keyof Rates) =>
  sql<number>`(coalesce(own.${sql.raw(column)}, common.${sql.raw(column)}, 0)::float8 / 100)`;

function siteTermsAsShown(db: Kysely<Tables>, language: Caller['language']) {
  return db
    .selectFrom('sites')
    .leftJoin('agents', 'agents.id', 'sites.agent_id')
    .leftJoin('share_terms as own', 'own.site_id', 'sites.id')
    .leftJoin('share_terms as common', (join) => join.on('common.site_id', 'is', null))
    .leftJoin('users', 'users.id', 'own.user_id')
    .select([
      'sites.id',
      'sites.name as siteName',
      'sites.agent_id as agentId',
      'agents.name as agentName',
      sql<boolean>`own.id is not null`.as('configured'),
      percentAt('channel_fee_e4').as('channelFeePercent'),
      percentAt('electricity_e4').as('electricityPercent'),
      percentAt('service_e4').as('servicePercent'),
      percentAt('occupancy_e4').as('occupancyPercent'),
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('changedBy'),
      'own.changed_at as changedAt',
    ]);
}

const isConfigured = sql<boolean>`exists (select from share_terms own where own.site_id = sites.id)`;

export const shareTermsList = listSource({
  route: listShareTerms,
  platformOnly: true,
  filtered(db, caller, { siteName, agentId, region, configured }) {
    let sites = scoped(db.selectFrom('sites'), caller, 'sites.agent_id');
    if (siteName !== undefined) sites = sites.where('sites.name', 'ilike', containing(siteName));
    if (agentId !== undefined) sites = sites.where('sites.agent_id', '=', agentId);
    if (region !== undefined) {
      const { from, to } = codesWithin(region);
      sites = sites.where('sites.region_code', '>=', from).where('sites.region_code', '<=', to);
    }
    if (configured !== undefined) sites = sites.where(configured ? isConfigured : sql<boolean>`not ${isConfigured}`);
    return sites;
  },
  id: sql`sites.id`,
  sorts: {
    siteName: sql`sites.name collate "zh-x-icu"`,
    changedAt: sql`(select changed_at from share_terms own where own.site_id = sites.id)`,
  },
  sometimesAbsent: ['changedAt'],
  rows: (db, { language }) => siteTermsAsShown(db, language),
  toItem: (row) => ({ ...row, changedAt: isoOrNull(row.changedAt) }),
});

export async function findDefaultShareTerms(db: Kysely<Tables>, { language }: Caller): Promise<DefaultShareTerms> {
  const [common, counted] = await Promise.all([
    db
      .selectFrom('share_terms')
      .leftJoin('users', 'users.id', 'share_terms.user_id')
      .select(['channel_fee_e4', 'electricity_e4', 'service_e4', 'occupancy_e4', 'changed_at as changedAt'])
      .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('changedBy'))
      .where('site_id', 'is', null)
      .executeTakeFirst(),
    db
      .selectNoFrom([
        sql<number>`(select count(*) from sites)::integer`.as('sites'),
        sql<number>`(select count(*) from share_terms where site_id is not null)::integer`.as('configuredSites'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  return {
    configured: common !== undefined,
    ...percentsOf(common ?? nothingKept),
    changedBy: common?.changedBy ?? null,
    changedAt: isoOrNull(common?.changedAt ?? null),
    ...counted,
  };
}

/** Sets what the platform keeps at every site without terms of its own. */
export async function setDefault(
  trx: Trx,
  caller: Caller,
  form: Percents,
  at: Instant,
): Promise<Result<DefaultShareTerms, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  await lockShareTerms(trx);
  const before = await trx.selectFrom('share_terms').selectAll().where('site_id', 'is', null).executeTakeFirst();
  await writeTerms(trx, caller, [null], ratesOf(form), at);
  await audit(trx, caller, at, {
    action: 'share_terms.set',
    recordKind: 'share_terms',
    recordId: 'default',
    ...(before === undefined ? {} : { before: percentsOf(before) }),
    after: form,
  });
  return ok(await findDefaultShareTerms(trx, caller));
}

/** Gives sites terms of their own: all of them or none. */
export async function setAtSites(
  trx: Trx,
  caller: Caller,
  { siteIds, ...form }: BodyOf<typeof setShareTerms>,
  at: Instant,
): Promise<Result<AnswerOf<typeof setShareTerms>, ApiError>> {
  const present = await lockSites(trx, caller, siteIds);
  if (!present.ok) return present;
  const rates = ratesOf(form);
  const isSame = (row: Rates | undefined) =>
    row !== undefined && (Object.keys(rates) as (keyof Rates)[]).every((key) => row[key] === rates[key]);
  const changed = [...present.value].filter(([, row]) => !isSame(row));
  await writeTerms(
    trx,
    caller,
    changed.map(([siteId]) => siteId),
    rates,
    at,
  );
  await auditMany(
    trx,
    caller,
    at,
    changed.map(
      ([siteId, row]): AuditEntry => ({
        action: 'share_terms.set',
        recordKind: 'share_terms',
        recordId: siteId,
        ...(row === undefined ? {} : { before: percentsOf(row) }),
        after: form,
      }),
    ),
  );
  return ok({ changed: changed.length, unchanged: present.value.size - changed.length });
}

/** Takes sites their own terms, so that they have the default again: all of them or none. */
export async function clearAtSites(
  trx: Trx,
  caller: Caller,
  { siteIds }: BodyOf<typeof clearShareTerms>,
  at: Instant,
): Promise<Result<AnswerOf<typeof clearShareTerms>, ApiError>> {
  const present = await lockSites(trx, caller, siteIds);
  if (!present.ok) return present;
  const cleared = [...present.value].flatMap(([siteId, row]) => (row === undefined ? [] : [{ siteId, row }]));
  if (cleared.length > 0) {
    await trx
      .deleteFrom('share_terms')
      .where(
        'site_id',
        'in',
        cleared.map(({ siteId }) => siteId),
      )
      .execute();
  }
  await auditMany(
    trx,
    caller,
    at,
    cleared.map(
      ({ siteId, row }): AuditEntry => ({
        action: 'share_terms.clear',
        recordKind: 'share_terms',
        recordId: siteId,
        before: percentsOf(row),
      }),
    ),
  );
  return ok({ changed: cleared.length, unchanged: present.value.size - cleared.length });
}

const termsLock = 0x73686172;

/** Terms change one request at a time, so that each audit entry says what was there before. */
async function lockShareTerms(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${termsLock})`.execute(trx);
}

/** The present terms of each site; refused where one of the sites does not exist. */
async function lockSites(
  trx: Trx,
  caller: Caller,
  siteIds: readonly SiteId[],
): Promise<Result<ReadonlyMap<SiteId, Rates | undefined>, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  await lockShareTerms(trx);
  const wanted = [...new Set(siteIds)].sort((one, other) => one - other);
  const sites = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', 'in', wanted)
    .orderBy('id')
    .forKeyShare()
    .execute();
  if (sites.length < wanted.length) {
    return failed({ code: 'request.invalid', fields: [{ path: 'siteIds', code: 'unknown_reference' }] });
  }
  const terms = await trx.selectFrom('share_terms').selectAll().where('site_id', 'in', wanted).execute();
  const bySite = new Map(terms.map((row) => [row.site_id, row]));
  return ok(new Map(wanted.map((siteId) => [siteId, bySite.get(siteId)])));
}

async function writeTerms(
  trx: Trx,
  { userId }: Caller,
  siteIds: readonly (SiteId | null)[],
  rates: Rates,
  at: Instant,
): Promise<void> {
  if (siteIds.length === 0) return;
  const changed = { ...rates, user_id: userId, changed_at: at };
  await trx
    .insertInto('share_terms')
    .values(siteIds.map((siteId) => ({ site_id: siteId, ...changed })))
    .onConflict((conflict) => conflict.constraint('share_terms_site').doUpdateSet(changed))
    .execute();
}
