import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { type BillingType, protocols } from '@voltdeck/charging/states';
import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { type previewPriceChange, priceChangeDaysMax, priceChangeStationsMax } from '@voltdeck/contract/price-changes';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { AgentId, StationId, TariffId } from '@voltdeck/units/id';
import { dayMs, type Instant, minuteMs, parseIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped, scopedOrPlatform } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { mayPrice } from '../tariffs/rules-of-station.ts';

/** A rule that the caller may use, and whose it is: null for the platform's. */
export type UsableRule = { id: TariffId; agentId: AgentId | null; kind: BillingType };

export type Targets = BodyOf<typeof previewPriceChange>;

/** A form takes a while to be sent. */
const pastToleratedMs = minuteMs;

const billing = sql.join(
  protocols.filter((protocol) => protocolTraits[protocol].billsItself).map((protocol) => sql.lit(protocol)),
);

/** Checks what a form cannot: that rule, sites and stations exist for the caller, and that the time is to come. */
export async function checkTargets(
  db: Kysely<Tables>,
  caller: Caller,
  targets: Targets,
  at: Instant,
): Promise<Result<{ rule: UsableRule; effectiveAt: Instant }, ApiError>> {
  const fields: FieldFault[] = [];
  const rule = await ruleOf(db, caller, targets.ruleId);
  if (rule === null) fields.push({ path: 'ruleId', code: 'unknown_reference' });
  const effectiveAt = parseIso(targets.effectiveAt);
  if (effectiveAt === null) fields.push({ path: 'effectiveAt', code: 'not_instant' });
  else if (effectiveAt < at - pastToleratedMs) fields.push({ path: 'effectiveAt', code: 'in_past' });
  else if (effectiveAt > at + priceChangeDaysMax * dayMs) {
    fields.push({ path: 'effectiveAt', code: 'too_many_days', params: { max: priceChangeDaysMax } });
  }
  fields.push(...(await faultsOfChoice(db, caller, targets)));
  if (fields.length > 0 || rule === null || effectiveAt === null) return failed({ code: 'request.invalid', fields });
  return ok({ rule, effectiveAt });
}

async function faultsOfChoice(
  db: Kysely<Tables>,
  caller: Caller,
  { by, siteIds, stationIds, usedRuleId }: Targets,
): Promise<FieldFault[]> {
  switch (by) {
    case 'sites': {
      if (siteIds === undefined) return [{ path: 'siteIds', code: 'required' }];
      const known = await scoped(db.selectFrom('sites'), caller, 'sites.agent_id')
        .select('sites.id')
        .where('sites.id', 'in', siteIds)
        .execute();
      return known.length < new Set(siteIds).size ? [{ path: 'siteIds', code: 'unknown_reference' }] : [];
    }
    case 'stations': {
      if (stationIds === undefined) return [{ path: 'stationIds', code: 'required' }];
      const known = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
        .select('stations.id')
        .where('stations.id', 'in', stationIds)
        .execute();
      return known.length < new Set(stationIds).size ? [{ path: 'stationIds', code: 'unknown_reference' }] : [];
    }
    case 'rule': {
      if (usedRuleId === undefined) return [{ path: 'usedRuleId', code: 'required' }];
      const used = await ruleOf(db, caller, usedRuleId);
      return used === null ? [{ path: 'usedRuleId', code: 'unknown_reference' }] : [];
    }
  }
}

/** An agent uses its own rules and the platform's. */
async function ruleOf(db: Kysely<Tables>, caller: Caller, id: TariffId): Promise<UsableRule | null> {
  const row = await scopedOrPlatform(db.selectFrom('tariffs'), caller, 'tariffs.agent_id')
    .select(['tariffs.rule_id as id', 'tariffs.agent_id as agentId', 'tariffs.kind'])
    .where('tariffs.id', '=', id)
    .where('tariffs.archived_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The targeted stations within the caller's scope. */
function stationsOf(db: Kysely<Tables>, caller: Caller, { by, siteIds, stationIds, usedRuleId, slots }: Targets) {
  const stations = scoped(db.selectFrom('stations'), caller, 'stations.agent_id');
  switch (by) {
    case 'sites':
      return stations.where('stations.site_id', 'in', siteIds ?? []);
    case 'stations':
      return stations.where('stations.id', 'in', stationIds ?? []);
    case 'rule': {
      const versions = sql`(select version.id from tariffs version join tariffs named on named.rule_id = version.rule_id
                             where named.id = ${usedRuleId ?? null}::bigint)`;
      return stations.where(hasOneOf(versions, slots));
    }
  }
}

/** Whether a station has one of these tariffs in a place that is changed. */
function hasOneOf(versions: RawBuilder<unknown>, slots: Targets['slots']): RawBuilder<boolean> {
  const card = sql<boolean>`stations.card_tariff_id in ${versions}`;
  const wechat = sql<boolean>`stations.wechat_tariff_id in ${versions}`;
  if (slots === 'card') return card;
  return slots === 'wechat' ? wechat : sql`(${card} or ${wechat})`;
}

export type ChosenStation = { id: StationId; agentId: AgentId | null };

/** The stations to change, in order; refused where there are none, too many, or some that the rule may not price. */
export async function chooseStations(
  db: Kysely<Tables>,
  caller: Caller,
  targets: Targets,
  rule: UsableRule,
): Promise<Result<ChosenStation[], ApiError>> {
  const chosen = await stationsOf(db, caller, targets)
    .select(['stations.id', 'stations.agent_id as agentId'])
    .orderBy('stations.id')
    .limit(priceChangeStationsMax + 1)
    .execute();
  if (chosen.length === 0) return failed({ code: 'price_change.no_stations' });
  if (chosen.length > priceChangeStationsMax) {
    return failed({ code: 'price_change.too_many_stations', params: { max: priceChangeStationsMax } });
  }
  if (!chosen.every(({ agentId }) => mayPrice(rule.agentId, agentId))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'ruleId', code: 'rule_of_other_agent' }] });
  }
  return ok(chosen);
}

/** What a change of these stations would do now. */
export async function countTargets(
  db: Kysely<Tables>,
  caller: Caller,
  targets: Targets,
  rule: UsableRule,
): Promise<Result<AnswerOf<typeof previewPriceChange>, ApiError>> {
  const chosen = await chooseStations(db, caller, targets, rule);
  if (!chosen.ok) return chosen;
  const versions = sql`(select id from tariffs where tariffs.rule_id = ${rule.id})`;
  const card = hasOneOf(versions, 'card');
  const wechat = hasOneOf(versions, 'wechat');
  const same = targets.slots === 'both' ? sql`${card} and ${wechat}` : hasOneOf(versions, targets.slots);
  const isByEnergy = sql.lit(rule.kind === 'energy');
  // A station runs the rule for its cards, where that prices by energy (station-tariff.ts).
  const isRun = sql`(protocol in (${billing}) and ${isByEnergy} and (${sql.lit(targets.slots !== 'wechat')}
    or not exists (select from tariffs where tariffs.id = stations.card_tariff_id and tariffs.kind = 'energy')))`;
  const { rows } = await sql<AnswerOf<typeof previewPriceChange>>`
    select count(*)::int as stations, count(distinct site_id)::int as sites,
           count(*) filter (where ${isRun})::int as billing,
           count(*) filter (where ${isRun} and not online)::int as "billingOffline",
           count(*) filter (where equipment_type = 'four-wheel' and not ${isByEnergy})::int as "fourWheelByTime",
           count(*) filter (where exists (select 1 from orders where orders.station_id = stations.id
                                             and orders.state = 'charging'))::int as charging,
           count(*) filter (where ${same})::int as same,
           count(*) filter (where exists (select 1 from price_change_stations r
                                            join price_changes c on c.id = r.price_change_id
                                           where r.station_id = stations.id and r.state = 'waiting'
                                             and c.state = 'waiting'))::int as planned
      from stations where id = any(${chosen.value.map(({ id }) => id)})`.execute(db);
  const [row] = rows;
  return row === undefined ? failed({ code: 'price_change.no_stations' }) : ok(row);
}
