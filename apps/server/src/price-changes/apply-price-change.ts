import type { priceChangeSkips } from '@voltdeck/contract/price-changes';
import type { AgentId, PriceChangeId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type Trx, transact } from '../database/transact.ts';
import { ownTariffId, tariffState } from '../stations/tariffs/station-tariff.ts';
import { lockRule } from '../tariffs/lock-rule.ts';
import { moveStations } from '../tariffs/move-stations.ts';
import { lockVersionsInForce, mayNotPrice } from '../tariffs/rules-of-station.ts';

/** Stations that one transaction gives the rule, so that none of them waits long for its lock. */
const stationsAtOnce = 200;

export type DuePriceChange = { id: PriceChangeId; effectiveAt: Instant };

/**
 * The earliest price change whose time has come and that is not among `except`, one that was interrupted included; of
 * equal times the one made first.
 */
export async function findDuePriceChange(
  db: Kysely<Tables>,
  at: Instant,
  except: readonly PriceChangeId[],
): Promise<DuePriceChange | null> {
  const due = await db
    .selectFrom('price_changes')
    .select(['id', 'effective_at as effectiveAt'])
    .where('state', '<>', sql.lit('cancelled'))
    .where('finished_at', 'is', null)
    .where('effective_at', '<=', at)
    .where(sql<boolean>`id <> all(${[...except]}::bigint[])`)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return due ?? null;
}

/**
 * Carries out a price change whose time has come, some stations in each transaction, and goes on where it was
 * interrupted. Null where nothing is left to do: a job may run twice, or after it was cancelled.
 */
export async function applyPriceChange(
  { db }: Pick<Database, 'db'>,
  id: PriceChangeId,
  at: Instant,
): Promise<{ agentId: AgentId | null; stations: number } | null> {
  for (;;) {
    const step = await transact(db, async (trx) => ok(await applyStep(trx, id, at)));
    if (!step.ok || step.value === 'nothing') return null;
    if (step.value !== 'more') return step.value;
  }
}

async function applyStep(
  trx: Trx,
  id: PriceChangeId,
  at: Instant,
): Promise<'nothing' | 'more' | { agentId: AgentId | null; stations: number }> {
  const due = await trx
    .selectFrom('price_changes')
    .select(['rule_id as ruleId', 'slots', 'effective_at as effectiveAt', 'agent_id as agentId'])
    .select('tariff_id as begunWith')
    .where('id', '=', id)
    .where('state', '<>', 'cancelled')
    .where('finished_at', 'is', null)
    .where('effective_at', '<=', at)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (due === undefined) return 'nothing';
  const { ruleId, slots, effectiveAt, agentId, begunWith } = due;
  // A rule is locked before its stations, everywhere. One that a price change waits for is not deleted.
  const inForce = (await lockVersionsInForce(trx, [ruleId])).get(ruleId);
  if (inForce === undefined) throw new Error(`the rule of price change ${id} has no version in force`);
  const tariffId = begunWith ?? inForce;
  if (begunWith === null) {
    await trx
      .updateTable('price_changes')
      .set({ state: 'applied', tariff_id: tariffId, applied_at: at })
      .where('id', '=', id)
      .execute();
  }
  // The history of the stations begins with the scheduled time (note_station_tariffs).
  await sql`select set_config('voltdeck.tariffs_from', ${toIso(effectiveAt)}, true)`.execute(trx);
  if (await applyToSome(trx, { id, ruleId, tariffId, slots, effectiveAt, at })) return 'more';
  await trx.updateTable('price_changes').set({ finished_at: at }).where('id', '=', id).execute();
  if (inForce !== tariffId) await moveToVersionInForce(trx, ruleId);
  const stations = await countGiven(trx, id);
  await audit(trx, null, at, {
    action: 'price_change.apply',
    recordKind: 'price_change',
    recordId: id,
    after: { tariffId, stationCount: stations },
  });
  return { agentId, stations };
}

/** A newer version that took effect in between has moved only the stations that were reached by then. */
async function moveToVersionInForce(trx: Trx, id: TariffId): Promise<void> {
  const rule = await lockRule(trx, id);
  if (rule !== null) await moveStations(trx, { ...rule, to: rule.inForceId });
}

async function countGiven(trx: Trx, id: PriceChangeId): Promise<number> {
  const { count } = await trx
    .selectFrom('price_change_stations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('price_change_id', '=', id)
    .where('applied_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

type Step = {
  id: PriceChangeId;
  ruleId: TariffId;
  tariffId: TariffId;
  slots: string;
  effectiveAt: Instant;
  at: Instant;
};

/** Gives the next stations the tariff, in the order of their ids. False when there are none. */
async function applyToSome(trx: Trx, { id, ruleId, tariffId, slots, effectiveAt, at }: Step): Promise<boolean> {
  const isReplaced = (kind: 'card' | 'wechat') =>
    slots === kind || slots === 'both'
      ? sql`rule_replaced_since(s.id, ${sql.lit(kind)}, ${toIso(effectiveAt)}::timestamptz, ${ruleId})`
      : sql`true`;
  const { rows } = await sql<{
    id: StationId;
    skip: (typeof priceChangeSkips)[number] | null;
    card: boolean;
    wechat: boolean;
  }>`
    select s.id, not ${isReplaced('card')} as card, not ${isReplaced('wechat')} as wechat,
           case when r.agent_id is distinct from s.agent_id then 'moved'
                when ${mayNotPrice(sql`t.agent_id`, sql`s.agent_id`)} then 'rule_of_other_agent' end as skip
      from stations s join price_change_stations r on r.station_id = s.id
      join tariffs t on t.id = ${tariffId}
     where r.price_change_id = ${id} and r.state = 'waiting' and r.applied_at is null
     order by s.id limit ${sql.lit(stationsAtOnce)} for no key update of s`.execute(trx);
  if (rows.length === 0) return false;
  const skips = rows.map((row) => row.skip ?? (row.card || row.wechat ? null : 'replaced'));
  const chosen = (isChosen: (row: (typeof rows)[number], index: number) => boolean) =>
    rows.filter(isChosen).map((row) => row.id);
  for (const skip of ['moved', 'rule_of_other_agent', 'replaced'] as const) {
    await sql`
      update price_change_stations set state = 'skipped', reason = ${skip}
       where price_change_id = ${id} and station_id = any(${chosen((_, index) => skips[index] === skip)})`.execute(trx);
  }
  const given = chosen((_, index) => skips[index] === null);
  const [card, wechat] = [chosen((row) => row.card), chosen((row) => row.wechat)];
  await sql`
    update stations
       set card_tariff_id = case when id = any(${card}) then ${tariffId}::bigint else card_tariff_id end,
           wechat_tariff_id = case when id = any(${wechat}) then ${tariffId}::bigint else wechat_tariff_id end,
           tariff_asked_at = null, tariff_outcome = null, tariff_answer = null
     where id = any(${given})`.execute(trx);
  // A station that does not price charges itself, or by another of its rules, has it from this instant.
  await sql`
    update price_change_stations r
       set applied_at = to_timestamp(${at} / 1000.0), reason = null,
           state = case when told.is_current then 'taken' when told.online then 'waiting' else 'offline' end,
           answered_at = case when told.is_current then to_timestamp(${at} / 1000.0) end
      from (select stations.id, stations.online,
                   coalesce(${tariffState}, 'current') = 'current'
                     or ${ownTariffId} is distinct from ${tariffId}::bigint as is_current
              from stations where stations.id = any(${given})) told
     where r.price_change_id = ${id} and r.station_id = told.id`.execute(trx);
  return true;
}
