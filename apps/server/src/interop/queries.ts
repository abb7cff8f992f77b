import {
  type KeyDirection,
  listPartners,
  type Partner,
  type PartnerDetail,
  type PartnerSite,
  partnerSitesMax,
} from '@voltdeck/contract/partners';
import { defaultProfile, readProfile } from '@voltdeck/tcec102/profile';
import type { PartnerId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import { subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { partOf } from '../ledger/wallet-parts.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readOwnCode } from './own-code.ts';
import { findKeySets } from './partner-keys.ts';
import { payableTo } from './pay-partner.ts';

/** Deliveries of a partner in one state are counted up to this many. */
const deliveriesCountedMax = 100_000;

const deliveriesIn = (state: 'pending' | 'failed') => sql<number>`(
  select count(*) from (select 1 from partner_deliveries d where d.partner_id = partners.id
                          and d.state = ${sql.lit(state)} limit ${sql.lit(deliveriesCountedMax)}) as counted)::integer`;

function partnerRows(db: Kysely<Tables>) {
  return db
    .selectFrom('partners')
    .leftJoin('tariffs', 'tariffs.id', 'partners.tariff_id')
    .select([
      'partners.id',
      'partners.version',
      'partners.operator_id as operatorId',
      'partners.name',
      'partners.role',
      'partners.enabled',
      'partners.environment',
      'partners.credit_code as creditCode',
      'partners.platform_name as platformName',
      'partners.docking_code as dockingCode',
      'partners.contact',
      'partners.contact_phone as contactPhone',
      'partners.service_phone as servicePhone',
      'partners.second_service_phone as secondServicePhone',
      'partners.address',
      'partners.remark',
      'partners.base_url as baseUrl',
      'partners.interface_urls as interfaceUrls',
      'partners.allowed_addresses as allowedAddresses',
      'partners.profile',
      'partners.pushing',
      'partners.pushes',
      'partners.pulling',
      'partners.rate_per_second as ratePerSecond',
      'partners.tariff_id as tariffId',
      'tariffs.name as tariffName',
      'partners.start_balance_min_fen as startBalanceMinFen',
      'partners.created_at as createdAt',
      'partners.changed_at as changedAt',
    ])
    .select([
      sql<number>`(select count(*) from partner_sites o where o.partner_id = partners.id)::integer`.as('siteCount'),
      partOf('partner', 'paid', 'partners.id').as('balanceFen'),
      partOf('partner', 'held', 'partners.id').as('heldFen'),
      partOf('partner', 'receivable', 'partners.id').as('receivableFen'),
      payableTo('partners.id').as('payableFen'),
      deliveriesIn('pending').as('pendingDeliveries'),
      deliveriesIn('failed').as('failedDeliveries'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof partnerRows>['executeTakeFirstOrThrow']>>;

function toPartner({ receivableFen, ...row }: Row): Partner {
  const profile = readProfile(row.profile);
  return {
    ...row,
    profile: profile.ok ? profile.value : defaultProfile,
    interfaceUrls: row.interfaceUrls as Record<string, string>,
    pushes: row.pushes as Partner['pushes'],
    owedFen: subtractFen(zeroFen, receivableFen),
    createdAt: toIso(row.createdAt),
    changedAt: toIso(row.changedAt),
  };
}

/** Null for everybody but the platform's own people: for them partners do not exist. */
export async function findPartnerDetail(
  { db, secrets }: { db: Kysely<Tables>; secrets: SecretBox },
  { agents, language }: Pick<Caller, 'agents' | 'language'>,
  id: PartnerId,
): Promise<PartnerDetail | null> {
  if (agents !== 'all') return null;
  const row = await partnerRows(db).where('partners.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const keysOf = (direction: KeyDirection) => findKeySets({ db, secrets }, language, id, direction);
  return {
    ...toPartner(row),
    ownOperatorId: await readOwnCode(db),
    keys: { inbound: await keysOf('inbound'), outbound: await keysOf('outbound') },
    sites: await findSites(db, id),
  };
}

async function findSites(db: Kysely<Tables>, id: PartnerId): Promise<PartnerSite[]> {
  const rows = await db
    .selectFrom('partner_sites')
    .innerJoin('sites', 'sites.id', 'partner_sites.site_id')
    .leftJoin('tariffs', 'tariffs.id', 'partner_sites.tariff_id')
    .select([
      'partner_sites.site_id as siteId',
      'sites.name as siteName',
      sql<boolean>`sites.opened_at is not null`.as('opened'),
      'partner_sites.tariff_id as tariffId',
      'tariffs.name as tariffName',
      'partner_sites.opened_at as openedAt',
    ])
    .where('partner_sites.partner_id', '=', id)
    .orderBy('sites.name')
    .orderBy('partner_sites.site_id')
    .limit(partnerSitesMax)
    .execute();
  return rows.map((row) => ({ ...row, openedAt: toIso(row.openedAt) }));
}

export const partnerList = listSource({
  route: listPartners,
  platformOnly: true,
  filtered(db, _caller, { name, operatorId, role, environment, enabled, pushing, siteId }) {
    let partners = db.selectFrom('partners');
    if (name !== undefined) partners = partners.where('partners.name', 'ilike', containing(name));
    if (operatorId !== undefined) {
      partners = partners.where('partners.operator_id', 'like', containing(operatorId.toUpperCase()));
    }
    if (role !== undefined) partners = partners.where('partners.role', 'in', role);
    if (environment !== undefined) partners = partners.where('partners.environment', 'in', environment);
    if (enabled !== undefined) partners = partners.where('partners.enabled', '=', enabled);
    if (pushing !== undefined) partners = partners.where('partners.pushing', '=', pushing);
    if (siteId !== undefined) {
      const seeing = db.selectFrom('partner_sites').select('partner_id').where('site_id', '=', siteId);
      partners = partners.where('partners.id', 'in', seeing);
    }
    return partners;
  },
  id: sql`partners.id`,
  sorts: { createdAt: sql`partners.created_at`, name: sql`partners.name` },
  rows: (db) => partnerRows(db),
  toItem: toPartner,
});
