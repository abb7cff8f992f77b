import type { TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { lockRule } from './lock-rule.ts';
import { moveStations } from './move-stations.ts';

type Replacement = { ruleId: TariffId; to: TariffId; effectiveAt: Instant };

/** Replaces the version in force by one that nothing refers to yet, and moves the rule's stations to it. */
export async function replaceInForce(trx: Trx, replacement: Replacement): Promise<{ stations: number }> {
  const { ruleId, to } = replacement;
  await trx
    .updateTable('tariffs')
    .set({ state: 'past' })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'in_force')
    .execute();
  await trx.updateTable('tariffs').set({ state: 'in_force' }).where('id', '=', to).execute();
  return { stations: await moveStations(trx, replacement) };
}

/**
 * Takes a waiting version into force once its time has come. Null where it does not wait, or not until `at`: a job may
 * run twice, early, or after the version was cancelled. A version that somebody overtook by a newer price while nothing
 * ran never takes effect.
 */
export async function takeIntoForce(trx: Trx, id: TariffId, at: Instant): Promise<{ stations: number } | null> {
  const rule = await lockRule(trx, id);
  if (rule === null) return null;
  const { ruleId } = rule;
  const version = await trx
    .selectFrom('tariffs')
    .select(['version', 'effective_at as effectiveAt'])
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('effective_at', '<=', at)
    .executeTakeFirst();
  if (version === undefined) return null;
  const { effectiveAt } = version;
  if (rule.effectiveAt > effectiveAt) {
    await passOver(trx, null, { ruleId, until: effectiveAt, at });
    return null;
  }
  const taken = await replaceInForce(trx, { ruleId, to: id, effectiveAt });
  await audit(trx, null, at, {
    action: 'tariff.take_effect',
    recordKind: 'tariff',
    recordId: ruleId,
    after: { version: version.version, stationCount: taken.stations },
  });
  return taken;
}

/** Withdraws the rule's versions that should have taken effect by `until` and did not. The rule must be locked. */
export async function passOver(
  trx: Trx,
  caller: Caller | null,
  { ruleId, until, at }: { ruleId: TariffId; until: Instant; at: Instant },
): Promise<void> {
  const passed = await trx
    .updateTable('tariffs')
    .set({ state: 'cancelled' })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'waiting')
    .where('effective_at', '<=', until)
    .returning(['version', 'effective_at as effectiveAt'])
    .execute();
  for (const { version, effectiveAt } of passed) {
    await audit(trx, caller, at, {
      action: 'tariff.version_cancel',
      recordKind: 'tariff',
      recordId: ruleId,
      before: { version, takesEffectAt: toIso(effectiveAt) },
    });
  }
}

export type DueVersion = { id: TariffId; effectiveAt: Instant };

/** The earliest version whose time has come and that is not among `except`. */
export async function findDueVersion(
  db: Kysely<Tables>,
  at: Instant,
  except: readonly TariffId[],
): Promise<DueVersion | null> {
  const due = await db
    .selectFrom('tariffs')
    .select(['id', 'effective_at as effectiveAt'])
    .where('state', '=', sql.lit('waiting'))
    .where('effective_at', '<=', at)
    .where(sql<boolean>`id <> all(${[...except]}::bigint[])`)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return due ?? null;
}
