import type { priceChangeSkips } from '@voltdeck/contract/price-changes';
import type { AgentId, PriceChangeId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { ownTariffId, tariffState } from '../stations/tariffs/station-tariff.ts';
import { lockVersionsInForce } from '../tariffs/rules-of-station.ts';

/** Stations per statement, so that each stays short. */
const stationsAtOnce = 500;

export type DuePriceChange = { id: PriceChangeId; effectiveAt: Instant };

/** The earliest price change whose time has come and that is not among `except`; of equal times the one made first. */
export async function findDuePriceChange(
  db: Kysely<Tables>,
  at: Instant,
  except: readonly PriceChangeId[],
): Promise<DuePriceChange | null> {
  const due = await db
    .selectFrom('price_changes')
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

/**
 * Carries out a price change whose time has come, in one transaction. Null where it does not wait: a job may run twice,
 * or after it was cancelled.
 */
export async function applyPriceChange(
  trx: Trx,
  id: PriceChangeId,
  at: Instant,
): Promise<{ agentId: AgentId | null; stations: number } | null> {
  const due = await trx
    .selectFrom('price_changes')
    .select(['rule_id', 'slots', 'effective_at', 'agent_id'])
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('effective_at', '<=', at)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (due === undefined) return null;
  const { rule_id: ruleId, slots, effective_at: effectiveAt } = due;
  // A rule is locked before its stations, everywhere. One that a price change waits for is not deleted.
  const tariffId = (await lockVersionsInForce(trx, [ruleId])).get(ruleId);
  if (tariffId === undefined) throw new Error(`the rule of price change ${id} has no version in force`);
  await trx
    .updateTable('price_changes')
    .set({ state: 'applied', tariff_id: tariffId, applied_at: at })
    .where('id', '=', id)
    .execute();
  // The history of the stations begins with the scheduled time (note_station_tariffs).
  await sql`select set_config('voltdeck.tariffs_from', ${toIso(effectiveAt)}, true)`.execute(trx);
  let stations = 0;
  for (let batch: Batch | null = { last: 0, changed: 0 }; batch !== null; ) {
    batch = await applyBatch(trx, { id, tariffId, slots, at, beyond: batch.last });
    stations += batch?.changed ?? 0;
  }
  await audit(trx, null, at, {
    action: 'price_change.apply',
    recordKind: 'price_change',
    recordId: id,
    after: { tariffId, stationCount: stations },
  });
  return { agentId: due.agent_id, stations };
}

type PriceChangeSkip = (typeof priceChangeSkips)[number];
type Batch = { last: number; changed: number };

/** The next stations in the order of their ids; null when there are no more. */
async function applyBatch(
  trx: Trx,
  change: { id: PriceChangeId; tariffId: TariffId; slots: string; at: Instant; beyond: number },
): Promise<Batch | null> {
  const { id, tariffId, slots, at, beyond } = change;
  const { rows: locked } = await sql<{ id: StationId; skip: PriceChangeSkip | null }>`
    select s.id, case when r.agent_id is distinct from s.agent_id then 'moved'
                      when t.agent_id <> coalesce(s.agent_id, 0) then 'rule_of_other_agent' end as skip
      from stations s join price_change_stations r on r.station_id = s.id
      join tariffs t on t.id = ${tariffId}
     where r.price_change_id = ${id} and s.id > ${beyond}
     order by s.id limit ${sql.lit(stationsAtOnce)} for no key update of s`.execute(trx);
  const end = locked.at(-1);
  if (end === undefined) return null;
  const idsOf = (skip: PriceChangeSkip | null) => locked.flatMap((one) => (one.skip === skip ? [one.id] : []));
  for (const skip of ['moved', 'rule_of_other_agent'] as const) {
    await sql`
      update price_change_stations set state = 'skipped', reason = ${skip}
       where price_change_id = ${id} and station_id = any(${idsOf(skip)})`.execute(trx);
  }
  const ids = idsOf(null);
  await sql`
    update stations
       set card_tariff_id = ${slots === 'wechat' ? sql`card_tariff_id` : sql`${tariffId}::bigint`},
           wechat_tariff_id = ${slots === 'card' ? sql`wechat_tariff_id` : sql`${tariffId}::bigint`},
           tariff_asked_at = null, tariff_outcome = null, tariff_answer = null
     where id = any(${ids})`.execute(trx);
  // A station that does not price charges itself, or by another of its rules, has it from this instant.
  await sql`
    update price_change_stations r
       set applied_at = to_timestamp(${at} / 1000.0), reason = null,
           state = case when told.is_current then 'taken' when told.online then 'waiting' else 'offline' end,
           answered_at = case when told.is_current then to_timestamp(${at} / 1000.0) end
      from (select stations.id, stations.online,
                   coalesce(${tariffState}, 'current') = 'current'
                     or ${ownTariffId} is distinct from ${tariffId}::bigint as is_current
              from stations where stations.id = any(${ids})) told
     where r.price_change_id = ${id} and r.station_id = told.id`.execute(trx);
  return { last: end.id, changed: ids.length };
}
