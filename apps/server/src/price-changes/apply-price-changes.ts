import type { AgentId, PriceChangeId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import { type Trx, transact } from '../database/transact.ts';
import { ownTariffId, tariffState } from '../stations/tariffs/station-tariff.ts';
import { watchTariffsOnce } from '../stations/tariffs/watch-tariffs.ts';
import { lockVersionsInForce } from '../tariffs/rules-of-station.ts';

/** Stations per statement, so that each stays short. */
const stationsAtOnce = 500;

type Applied = { id: PriceChangeId; agentId: AgentId | null; stations: number };

/**
 * Carries out every price change whose time has come, in the order of their times, so that of two for one station the
 * later wins. Each is one transaction: a job that runs twice, late or on another node finds nothing left to do.
 */
export async function applyPriceChanges(context: Context): Promise<void> {
  let sum = 0;
  for (;;) {
    const applied = await transact(context.database.db, async (trx) => ok(await applyNext(trx, context.now())));
    if (!applied.ok || applied.value === null) break;
    const { id, agentId, stations } = applied.value;
    sum += stations;
    context.log.info({ priceChange: id, stations }, 'price changes: one took effect');
    context.bus.publish({ agentId, event: { kind: 'price-change-changed', priceChangeId: id } });
  }
  // Those that price charges themselves are told at once; whoever is left out now is found by the watch.
  if (sum > 0) await watchTariffsOnce(context);
}

/** The earliest that is due; null when there is none. Nodes take turns, since the order matters. */
async function applyNext(trx: Trx, at: Instant): Promise<Applied | null> {
  await sql`select pg_advisory_xact_lock(hashtext('price changes'))`.execute(trx);
  const due = await trx
    .selectFrom('price_changes')
    .select(['id', 'rule_id', 'slots', 'effective_at', 'agent_id'])
    .where('state', '=', sql.lit('waiting'))
    .where('effective_at', '<=', at)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (due === undefined) return null;
  const { id, rule_id: ruleId, slots, effective_at: effectiveAt } = due;
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
  return { id, agentId: due.agent_id, stations };
}

type Batch = { last: number; changed: number };

/** The next stations in the order of their ids; null when there are no more. */
async function applyBatch(
  trx: Trx,
  change: { id: PriceChangeId; tariffId: TariffId; slots: string; at: Instant; beyond: number },
): Promise<Batch | null> {
  const { id, tariffId, slots, at, beyond } = change;
  const { rows: locked } = await sql<{ id: StationId; is_moved: boolean }>`
    select s.id, r.agent_id is distinct from s.agent_id as is_moved
      from stations s join price_change_stations r on r.station_id = s.id
     where r.price_change_id = ${id} and s.id > ${beyond}
     order by s.id limit ${sql.lit(stationsAtOnce)} for no key update of s`.execute(trx);
  const end = locked.at(-1);
  if (end === undefined) return null;
  const moved = locked.filter(({ is_moved }) => is_moved).map(({ id: stationId }) => stationId);
  const ids = locked.filter(({ is_moved }) => !is_moved).map(({ id: stationId }) => stationId);
  await sql`
    update price_change_stations set state = 'skipped', reason = 'moved'
     where price_change_id = ${id} and station_id = any(${moved})`.execute(trx);
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
