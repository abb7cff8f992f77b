import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import type { PartnerId, UserId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Who calls whom with them: `inbound` keys were issued by us to the partner, `outbound` keys by the partner to us. */
export type KeyDirection = 'inbound' | 'outbound';

/**
 * The keys with which a partner may call us now, or we call it, the newest first: for a while after a rotation there are
 * two sets.
 * @throws Error where they were sealed under another key of the installation.
 */
export async function keysAt(
  { db, secrets }: { db: Kysely<Tables>; secrets: SecretBox },
  partnerId: PartnerId,
  direction: KeyDirection,
  at: Instant,
): Promise<PartnerKeys[]> {
  const rows = await db
    .selectFrom('partner_keys')
    .select('sealed')
    .where('partner_id', '=', partnerId)
    .where('direction', '=', direction)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', at)]))
    .orderBy('from_at', 'desc')
    .orderBy('id', 'desc')
    .limit(keySetsMax)
    .execute();
  return rows.map(({ sealed }) => openKeys(secrets, sealed));
}

/** Key sets of a direction that are tried: the present one and those that a rotation has not ended yet. */
const keySetsMax = 3;

/** Begins a new set of keys. The set before goes on for `overlapMs`, so that no call under way is lost. */
export async function beginKeys(
  trx: Trx,
  secrets: SecretBox,
  of: { partnerId: PartnerId; direction: KeyDirection; keys: PartnerKeys; overlapMs: number; userId: UserId | null },
  at: Instant,
): Promise<void> {
  const { partnerId, direction, keys, overlapMs, userId } = of;
  await trx
    .updateTable('partner_keys')
    .set({ ended_at: sql<Instant>`to_timestamp(${instant(at + overlapMs)} / 1000.0)` })
    .where('partner_id', '=', partnerId)
    .where('direction', '=', direction)
    .where('ended_at', 'is', null)
    .execute();
  await trx
    .insertInto('partner_keys')
    .values({
      partner_id: partnerId,
      direction,
      sealed: secrets.seal(sealName, JSON.stringify(keys)),
      from_at: at,
      user_id: userId,
    })
    .execute();
}

/** Bound to what is sealed: sealed as keys of a partner, it opens as nothing else. */
const sealName = 'partner-keys';

function openKeys(secrets: SecretBox, sealed: Buffer): PartnerKeys {
  const opened = secrets.open(sealName, sealed);
  if (!opened.ok) throw new Error(`keys of a partner cannot be opened: ${opened.error}`);
  return JSON.parse(opened.value) as PartnerKeys;
}
