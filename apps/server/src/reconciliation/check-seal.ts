import type { ApiError } from '@voltdeck/contract/errors';
import type { Counterpart, checkReconciliationSeal, SealedPart } from '@voltdeck/contract/reconciliation';
import type { AnswerOf } from '@voltdeck/contract/route';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { dayOf } from './comparison.ts';
import { type Digest, digestsOf } from './day-digests.ts';
import { hashOf, keptText } from './seal-day.ts';

type Sealed = {
  day: string;
  before: string | null;
  withoutBills?: { reason: string };
  kept: string;
  digests: Digest[];
};

/** Reckons a seal again from the records of its day and compares it with what was sealed. */
export async function checkSeal(
  db: Kysely<Tables>,
  wanted: string,
  at: Instant,
): Promise<Result<AnswerOf<typeof checkReconciliationSeal>, ApiError>> {
  const day = dayOf(wanted);
  if (day === null) return failed({ code: 'record.not_found' });
  const seal = await db
    .selectFrom('reconciliation_days')
    .select(['sealed_text as text', 'sealed_hash as hash', 'seal_number as number', 'missing_bill_reason as reason'])
    .where('day', '=', wanted)
    .executeTakeFirst();
  if (seal === undefined || seal.text === null || seal.hash === null || seal.number === null) {
    return failed({ code: 'reconciliation.not_sealed', params: { day: wanted } });
  }
  const broken = new Set<SealedPart>();
  if (hashOf(seal.text) !== seal.hash) broken.add('seal');
  const sealed = readSealed(seal.text);
  if (sealed === null || sealed.day !== wanted || (sealed.withoutBills?.reason ?? null) !== seal.reason) {
    broken.add('seal');
  } else {
    if (sealed.before !== (await hashBefore(db, seal.number))) broken.add('chain');
    if (sealed.kept !== (await keptText(db, wanted))) broken.add('differences');
    const counterparts = [...new Set(sealed.digests.map(({ counterpart }) => counterpart))] as Counterpart[];
    const now = await digestsOf(db, day, counterparts);
    for (const digest of sealed.digests) {
      const same = now.find(({ part, counterpart }) => part === digest.part && counterpart === digest.counterpart);
      if (same?.sha256 !== digest.sha256 || same.rows !== digest.rows) broken.add(digest.part);
    }
  }
  return ok({ day: wanted, hash: seal.hash, holds: broken.size === 0, broken: [...broken], checkedAt: toIso(at) });
}

/** What was sealed; null where the text was changed into something else. */
function readSealed(text: string): Sealed | null {
  try {
    const read = JSON.parse(text) as Partial<Sealed>;
    return Array.isArray(read.digests) && typeof read.kept === 'string' ? (read as Sealed) : null;
  } catch {
    return null;
  }
}

async function hashBefore(db: Kysely<Tables>, number: number): Promise<string | null> {
  const before = await db
    .selectFrom('reconciliation_days')
    .select('sealed_hash')
    .where('seal_number', '=', number - 1)
    .executeTakeFirst();
  return before?.sealed_hash ?? null;
}
