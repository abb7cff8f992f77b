import type { PartnerRole } from '@voltdeck/contract/partners';
import { defaultProfile, type PartnerProfile, readProfile } from '@voltdeck/tcec102/profile';
import type { PartnerId, TariffId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** A partner as the wire needs it. */
export type Partner = {
  id: PartnerId;
  operatorId: string;
  name: string;
  role: PartnerRole;
  isEnabled: boolean;
  allowedAddresses: readonly string[];
  profile: PartnerProfile;
  baseUrl: string;
  interfaceUrls: Readonly<Record<string, string>>;
  ratePerSecond: number;
  tariffId: TariffId | null;
  startBalanceMinFen: Fen;
};

export function findPartnerById(db: Kysely<Tables>, id: PartnerId): Promise<Partner | null> {
  return find(db, sql<boolean>`id = ${id}`);
}

/** `operatorId` is its organization code. */
export function findPartnerByCode(db: Kysely<Tables>, operatorId: string): Promise<Partner | null> {
  return find(db, sql<boolean>`operator_id = ${operatorId}`);
}

async function find(db: Kysely<Tables>, where: RawBuilder<boolean>): Promise<Partner | null> {
  const row = await db
    .selectFrom('partners')
    .select([
      'id',
      'operator_id as operatorId',
      'name',
      'role',
      'enabled as isEnabled',
      'allowed_addresses as allowedAddresses',
      'profile',
      'base_url as baseUrl',
      'interface_urls as interfaceUrls',
      'rate_per_second as ratePerSecond',
      'tariff_id as tariffId',
      'start_balance_min_fen as startBalanceMinFen',
    ])
    .where(where)
    .executeTakeFirst();
  if (row === undefined) return null;
  const profile = readProfile(row.profile);
  return {
    ...row,
    // Checked when it was entered; a field that a later version no longer knows costs no partner its connection.
    profile: profile.ok ? profile.value : defaultProfile,
    interfaceUrls: row.interfaceUrls as Record<string, string>,
  };
}

/** Whether its customers charge at our stations. */
export function isDemandSide({ role }: Pick<Partner, 'role'>): boolean {
  return role === 'demand' || role === 'both';
}

/** Whether our customers charge at its stations. */
export function isStationSide({ role }: Pick<Partner, 'role'>): boolean {
  return role === 'infrastructure' || role === 'both';
}
