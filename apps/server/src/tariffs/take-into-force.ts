import type { TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import { type Trx, transact } from '../database/transact.ts';
import { lockRule } from './lock-rule.ts';
import { moveStations } from './move-stations.ts';

/** Versions taken into force in one round; the next round takes the others. */
const versionsAtOnce = 100;

/** Replaces the version in force by one that nothing refers to yet, and moves the rule's stations to it. */
export async function replaceInForce(
  trx: Trx,
  { ruleId, to }: { ruleId: TariffId; to: TariffId },
): Promise<{ stations: number }> {
  await trx
    .updateTable('tariffs')
    .set({ state: 'past' })
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'in_force')
    .execute();
  await trx.updateTable('tariffs').set({ state: 'in_force' }).where('id', '=', to).execute();
  return { stations: await moveStations(trx, { ruleId, to }) };
}

/**
 * Takes a waiting version into force once its time has come. Null where it does not wait, or not until `at`: a job may
 * run twice, early, or after the version was cancelled.
 */
export async function takeIntoForce(trx: Trx, id: TariffId, at: Instant): Promise<{ stations: number } | null> {
  const rule = await lockRule(trx, id);
  if (rule === null) return null;
  const version = await trx
    .selectFrom('tariffs')
    .select('version')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('effective_at', '<=', at)
    .executeTakeFirst();
  if (version === undefined) return null;
  const taken = await replaceInForce(trx, { ruleId: rule.ruleId, to: id });
  await audit(trx, null, at, {
    action: 'tariff.take_effect',
    recordKind: 'tariff',
    recordId: rule.ruleId,
    after: { version: version.version, stationCount: taken.stations },
  });
  return taken;
}

/** Takes every version into force whose time has come, in the order of their times; returns their number. */
export async function takeDueIntoForce({ database, now }: Context): Promise<number> {
  const { db } = database;
  const at = now();
  const due = await db
    .selectFrom('tariffs')
    .select('id')
    .where('state', '=', sql.lit('waiting'))
    .where('effective_at', '<=', at)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(versionsAtOnce)
    .execute();
  let taken = 0;
  for (const { id } of due) {
    const outcome = await transact(db, async (trx) => ok(await takeIntoForce(trx, id, at)));
    if (outcome.ok && outcome.value !== null) taken += 1;
  }
  return taken;
}
