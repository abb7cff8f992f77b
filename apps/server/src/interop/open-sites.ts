import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { PartnerDetail, openSitesToPartner as route } from '@voltdeck/contract/partners';
import type { BodyOf } from '@voltdeck/contract/route';
import { lackedForOpening } from '@voltdeck/contract/site-opening';
import type { PartnerId, SiteId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { say } from '../http/say.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { lockVersionsInForce } from '../tariffs/rules-of-station.ts';
import { lockPartner } from './change-partner.ts';
import { findPartnerDetail } from './queries.ts';

/** Sites that a refusal names with what they lack; more are counted. */
const namedSitesMax = 10;

/**
 * Sets which sites a partner sees. Only sites that come to it are checked: one that it has already may have been
 * withdrawn meanwhile, and is hidden from everybody for as long.
 */
export async function openSitesTo(
  trx: Trx,
  secrets: SecretBox,
  caller: Caller,
  id: PartnerId,
  { siteIds, prices = [] }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PartnerDetail, ApiError>> {
  const before = await lockPartner(trx, secrets, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const wanted = [...new Set(siteIds)];
  const had = new Map(before.sites.map(({ siteId, tariffId }) => [siteId, tariffId]));
  const added = wanted.filter((siteId) => !had.has(siteId));
  const faults = [...(await siteFaults(trx, siteIds, added)), ...(await priceFaults(trx, prices, new Set(wanted)))];
  if (faults.length > 0) return failed({ code: 'request.invalid', fields: faults });
  const lacking = await sitesLacking(trx, caller, added);
  if (lacking.length > 0) {
    const { language } = caller;
    const named = lacking
      .slice(0, namedSitesMax)
      .map(({ name, lacked }) => say(language, 'interop.site-lacks', { site: name, lacked }));
    const rest = lacking.length - named.length;
    if (rest > 0) named.push(say(language, 'interop.more-sites-lack', { count: rest }));
    return failed({ code: 'partner.opening_failed', params: { lacked: named.join(say(language, 'list.comma')) } });
  }
  const priceOf = new Map<SiteId, TariffId | null>(prices.map(({ siteId, tariffId }) => [siteId, tariffId]));
  const removed = [...had.keys()].filter((siteId) => !wanted.includes(siteId));
  if (removed.length > 0) {
    await trx.deleteFrom('partner_sites').where('partner_id', '=', id).where('site_id', 'in', removed).execute();
  }
  if (added.length > 0) {
    const rows = added.map((siteId) => ({
      partner_id: id,
      site_id: siteId,
      tariff_id: priceOf.get(siteId) ?? null,
      user_id: caller.userId,
      opened_at: at,
    }));
    await trx.insertInto('partner_sites').values(rows).execute();
  }
  const changed = prices.filter(({ siteId, tariffId }) => had.has(siteId) && had.get(siteId) !== tariffId);
  for (const { siteId, tariffId } of changed) {
    await trx
      .updateTable('partner_sites')
      .set({ tariff_id: tariffId })
      .where('partner_id', '=', id)
      .where('site_id', '=', siteId)
      .execute();
  }
  if (added.length + removed.length + changed.length > 0) {
    await audit(trx, caller, at, {
      action: 'partner.sites',
      recordKind: 'partner',
      recordId: id,
      before: { siteIds: [...had.keys()] },
      after: { siteIds: wanted, ...(changed.length === 0 ? {} : { prices: changed }) },
    });
  }
  return found(await findPartnerDetail({ db: trx, secrets }, caller, id));
}

async function siteFaults(trx: Trx, asked: readonly SiteId[], added: readonly SiteId[]): Promise<FieldFault[]> {
  if (added.length === 0) return [];
  // Whoever withdraws one of them meanwhile waits.
  const rows = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', sql<SiteId>`any(${[...added]}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return added
    .filter((siteId) => !known.has(siteId))
    .map((siteId) => ({ path: `siteIds.${asked.indexOf(siteId)}`, code: 'unknown_reference' }));
}

async function priceFaults(
  trx: Trx,
  prices: readonly { siteId: SiteId; tariffId: TariffId | null }[],
  wanted: ReadonlySet<SiteId>,
): Promise<FieldFault[]> {
  const asked = [...new Set(prices.flatMap(({ tariffId }) => (tariffId === null ? [] : [tariffId])))];
  const usable = asked.length === 0 ? new Map() : await lockVersionsInForce(trx, asked);
  return prices.flatMap(({ siteId, tariffId }, index): FieldFault[] => [
    ...(wanted.has(siteId) ? [] : [{ path: `prices.${index}.siteId`, code: 'unknown_reference' as const }]),
    ...(tariffId === null || usable.has(tariffId)
      ? []
      : [{ path: `prices.${index}.tariffId`, code: 'unknown_reference' as const }]),
  ]);
}

async function sitesLacking(trx: Trx, { language }: Caller, added: readonly SiteId[]) {
  if (added.length === 0) return [];
  const rows = await trx
    .selectFrom('sites')
    .select([
      'id',
      'name',
      'region_code as regionCode',
      'kind',
      'place',
      'service_phone as servicePhone',
      'own_grid as ownGrid',
      'grid_account as gridAccount',
      sql<boolean>`opened_at is not null`.as('opened'),
      sql<number>`(select count(*) from connectors join stations on stations.id = connectors.station_id
                    where stations.site_id = sites.id)`.as('connectorCount'),
    ])
    .where('id', '=', sql<SiteId>`any(${[...added]}::bigint[])`)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.flatMap((site) => {
    const lacked = [...(site.opened ? [] : (['opened'] as const)), ...lackedForOpening(site)];
    if (lacked.length === 0) return [];
    const names = lacked.map((one) => say(language, `sites.lacks.${one}`)).join(say(language, 'list.comma'));
    return [{ name: site.name, lacked: names }];
  });
}
