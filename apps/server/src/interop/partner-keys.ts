import type { Language } from '@voltdeck/contract/languages';
import { type KeyDirection, type KeySet, keySetsShownMax } from '@voltdeck/contract/partners';
import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import type { PartnerId, UserId } from '@voltdeck/units/id';
import { type Instant, instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { shownName } from '../http/shown-name.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

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
    // The present set has no end; by `from_at`, a node whose clock is behind could begin one that sorts as older.
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .orderBy('id', 'desc')
    .limit(keySetsMax)
    .execute();
  return rows.map(({ sealed }) => openKeys(secrets, sealed));
}

/** Key sets of a direction that are tried: the present one and those that a rotation has not ended yet. */
const keySetsMax = 3;

/** Begins a new set of keys. Sets before go on for `overlapMs` at the most, so that no call under way is lost. */
export async function beginKeys(
  trx: Trx,
  secrets: SecretBox,
  of: { partnerId: PartnerId; direction: KeyDirection; keys: PartnerKeys; overlapMs: number; userId: UserId | null },
  at: Instant,
): Promise<void> {
  const { partnerId, direction, keys, overlapMs, userId } = of;
  const end = instant(at + overlapMs);
  await trx
    .updateTable('partner_keys')
    .set({ ended_at: sql<Instant>`to_timestamp(${end} / 1000.0)` })
    .where('partner_id', '=', partnerId)
    .where('direction', '=', direction)
    // A rotation without overlap, because keys leaked, ends those of an earlier overlap as well.
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', end)]))
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

/** What a partner's page says of its keys: since when and until when, and by what to know them. Never the keys. */
export async function findKeySets(
  { db, secrets }: { db: Kysely<Tables>; secrets: SecretBox },
  language: Language,
  partnerId: PartnerId,
  direction: KeyDirection,
): Promise<KeySet[]> {
  const rows = await db
    .selectFrom('partner_keys')
    .leftJoin('users', 'users.id', 'partner_keys.user_id')
    .select(['partner_keys.sealed', 'partner_keys.from_at as from', 'partner_keys.ended_at as until'])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'))
    .where('partner_keys.partner_id', '=', partnerId)
    .where('partner_keys.direction', '=', direction)
    .orderBy('partner_keys.from_at', 'desc')
    .orderBy('partner_keys.id', 'desc')
    .limit(keySetsShownMax)
    .execute();
  return rows.map(({ sealed, from, until, userName }) => ({
    hint: hintOf(secrets, sealed),
    from: toIso(from),
    until: isoOrNull(until),
    userName,
  }));
}

const hidden = '••••';
/** Shorter keys show nothing: two characters at each end would be too much of them. */
const hintedCharsMin = 12;

/** "ab••••yz". Keys that cannot be opened are still listed, so that somebody can begin new ones. */
function hintOf(secrets: SecretBox, sealed: Buffer): string {
  const opened = secrets.open(sealName, sealed);
  if (!opened.ok) return hidden;
  const { operatorSecret } = JSON.parse(opened.value) as PartnerKeys;
  if (operatorSecret.length < hintedCharsMin) return hidden;
  return `${operatorSecret.slice(0, 2)}${hidden}${operatorSecret.slice(-2)}`;
}

/** Bound to what is sealed: sealed as keys of a partner, it opens as nothing else. */
const sealName = 'partner-keys';

function openKeys(secrets: SecretBox, sealed: Buffer): PartnerKeys {
  const opened = secrets.open(sealName, sealed);
  if (!opened.ok) throw new Error(`keys of a partner cannot be opened: ${opened.error}`);
  return JSON.parse(opened.value) as PartnerKeys;
}
