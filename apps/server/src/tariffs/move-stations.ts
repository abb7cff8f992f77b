import type { TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { giveJob } from '../database/give-job.ts';
import { type Trx, transact } from '../database/transact.ts';
import { lockRule } from './lock-rule.ts';

/** Stations that one transaction moves, so that none of them waits long for its lock: about a second on a busy machine. */
export const stationsMovedAtOnce = 1_000;

type Move = {
  ruleId: TariffId;
  /** The version in force. */
  to: TariffId;
  /** When it took effect; the stations' history begins there, also for those that are moved later. */
  effectiveAt: Instant;
};

/**
 * Gives the stations that have another version of the rule the version `to`, each of its two tariffs for itself. A job
 * that is committed with this moves those beyond `stationsMovedAtOnce`. Running orders keep their own copy. The rule
 * must be locked.
 *
 * @returns how many stations are moved now and by the job
 */
export async function moveStations(trx: Trx, move: Move): Promise<number> {
  const moved = await moveSome(trx, move);
  if (moved < stationsMovedAtOnce) return moved;
  const left = await countStationsLeft(trx, move);
  if (left > 0) await giveJob(trx, 'move-stations', { ruleId: move.ruleId }, { key: `move-stations:${move.ruleId}` });
  return moved + left;
}

/** Moves the stations that `moveStations` left, a transaction for each thousand. */
export async function moveStationsLeft({ database }: Context, id: TariffId): Promise<void> {
  for (;;) {
    const outcome = await transact(database.db, async (trx) => {
      const rule = await lockRule(trx, id);
      if (rule === null) return ok(0);
      return ok(await moveSome(trx, { ...rule, to: rule.inForceId }));
    });
    if (!outcome.ok || outcome.value < stationsMovedAtOnce) return;
  }
}

const formerVersions = ({ ruleId, to }: Move) => sql`select id from tariffs where rule_id = ${ruleId} and id <> ${to}`;

const stationsLeft = sql`
  select id from stations where card_tariff_id in (select id from former)
  union select id from stations where wechat_tariff_id in (select id from former)`;

async function moveSome(trx: Trx, move: Move): Promise<number> {
  // note_station_tariffs reads it.
  await sql`select set_config('voltdeck.tariffs_from', ${toIso(move.effectiveAt)}, true)`.execute(trx);
  const { rows } = await sql<{ moved: number }>`
    with former as (${formerVersions(move)}), due as (
      select id from stations where id in (${stationsLeft})
       order by id limit ${sql.lit(stationsMovedAtOnce)} for no key update
    ), moved as (
      update stations
         set card_tariff_id = case when card_tariff_id in (select id from former) then ${move.to} else card_tariff_id end,
             wechat_tariff_id =
               case when wechat_tariff_id in (select id from former) then ${move.to} else wechat_tariff_id end
        from due where stations.id = due.id
      returning 1
    )
    select count(*)::int as moved from moved`.execute(trx);
  return rows[0]?.moved ?? 0;
}

async function countStationsLeft(trx: Trx, move: Move): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    with former as (${formerVersions(move)})
    select count(*)::int as left from (${stationsLeft}) as due`.execute(trx);
  return rows[0]?.left ?? 0;
}
