import type { TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * The tariff of the station `s` of a statement at an instant, where `given` is the one that its row or its history
 * names: a version or a price change counts from its time, also while its job has yet to reach the station. Null
 * without a rule.
 */
export function tariffAt(
  at: Instant,
  of: 'card' | 'wechat',
  given: Expression<TariffId | null>,
): RawBuilder<TariffId | null> {
  const then = sql`to_timestamp(${at} / 1000.0)`;
  const due = sql`
    select c.rule_id
      from price_change_stations r join price_changes c on c.id = r.price_change_id join tariffs rule on rule.id = c.rule_id
     where r.station_id = s.id and r.state = 'waiting' and r.applied_at is null and r.agent_id is not distinct from s.agent_id
       and c.state <> 'cancelled' and c.effective_at <= ${then} and c.slots in (${sql.lit(of)}, 'both')
       and coalesce(rule.agent_id = s.agent_id, rule.agent_id is null)
       and not rule_replaced_since(s.id, ${sql.lit(of)}, c.effective_at, c.rule_id)
     order by c.effective_at desc, c.id desc limit 1`;
  return sql`(
    select coalesce(
             (select v.id from tariffs v
               where v.rule_id = g.rule_id and v.state <> 'cancelled'
                 and v.effective_at <= ${then} and v.effective_at > g.effective_at
               order by v.effective_at desc, v.version desc limit 1),
             g.id)
      from tariffs g where g.id = coalesce((${due}), ${given}))`;
}

/** The version in force of a rule that was agreed with a payer: a price change of a station leaves it alone. */
export function agreedTariffAt(at: Instant, ruleId: TariffId): RawBuilder<TariffId | null> {
  return sql`(
    select v.id from tariffs v join tariffs a on a.rule_id = v.rule_id
     where a.id = ${ruleId} and v.state <> 'cancelled' and v.effective_at <= to_timestamp(${at} / 1000.0)
     order by v.effective_at desc, v.version desc limit 1)`;
}
