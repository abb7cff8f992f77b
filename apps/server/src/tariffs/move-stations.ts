import type { TariffId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/**
 * Gives every station that has another version of the rule the version `to`, each of its two tariffs for itself. Their
 * history is written with it; running orders keep their own copy. The rule must be locked.
 *
 * @returns how many stations were moved
 */
export async function moveStations(trx: Trx, { ruleId, to }: { ruleId: TariffId; to: TariffId }): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with versions as (
      select id from tariffs where rule_id = ${ruleId} and id <> ${to}
    ), due as (
      select id from stations
       where id in (select id from stations where card_tariff_id in (select id from versions)
                    union select id from stations where wechat_tariff_id in (select id from versions))
       order by id for no key update
    ), moved as (
      update stations
         set card_tariff_id = case when card_tariff_id in (select id from versions) then ${to} else card_tariff_id end,
             wechat_tariff_id =
               case when wechat_tariff_id in (select id from versions) then ${to} else wechat_tariff_id end
        from due where stations.id = due.id
      returning 1
    )
    select count(*)::int as moved from moved`.execute(trx);
  return rows[0]?.moved ?? 0;
}
