import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import { lastDay } from '@voltdeck/contract/fields';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { refusedStationsShown, type changeStations as route } from '@voltdeck/contract/station-acts';
import type { AgentId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import { scoped, scopedOrPlatform } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { lockVersionsInForce, mayPrice } from '../tariffs/rules-of-station.ts';
import { chooseStations } from './choose-stations.ts';
import { lockSite } from './lock-site.ts';

type Wanted = BodyOf<typeof route>;
type Before = {
  id: StationId;
  number: string;
  agentId: AgentId | null;
  siteId: number;
  cardTariffId: TariffId | null;
  wechatTariffId: TariffId | null;
  expiresOn: string | null;
  enabled: boolean;
};
/** The fields that change; undefined leaves a field as it is. */
type Change = Partial<Omit<Before, 'id' | 'number'>>;

/**
 * Changes one thing of many stations in one transaction, with an entry in the audit log for each. Charges that run keep
 * the site, the agent and the prices that they began with. Where a station would be priced by a rule of another agent,
 * none is changed.
 */
export async function changeStations(
  trx: Trx,
  caller: Caller,
  wanted: Wanted,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const { stationIds, query } = wanted;
  const changeOf = await readChange(trx, caller, wanted, at);
  if (!changeOf.ok) return changeOf;
  const chosen = await chooseStations(trx, caller, { stationIds, query }, at);
  if (!chosen.ok) return chosen;
  const ids = chosen.value.map(({ id }) => id);
  // Asked again under the lock: a station may have gone to another agent since it was chosen.
  const stations: Before[] = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .select(['id', 'number', 'agent_id as agentId', 'site_id as siteId', 'card_tariff_id as cardTariffId'])
    .select(['wechat_tariff_id as wechatTariffId', 'expires_on as expiresOn', 'enabled'])
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (stations.length < ids.length) return failed({ code: 'record.not_found' });
  const changed = stations.map((before) => ({ before, change: changeOf.value(before) }));
  const refused = await refusedOf(trx, changed);
  if (refused.length > 0) {
    return ok({ changed: 0, refusedCount: refused.length, refused: refused.slice(0, refusedStationsShown) });
  }
  await write(trx, changed);
  await note(trx, caller, wanted, changed, at);
  return ok({ changed: stations.length, refusedCount: 0, refused: [] });
}

/** The change that an act makes to each station, after checking the caller's rights. */
async function readChange(
  trx: Trx,
  caller: Caller,
  wanted: Wanted,
  at: Instant,
): Promise<Result<(before: Before) => Change, ApiError>> {
  const fault = (path: string, code: FieldFault['code'] = 'unknown_reference') =>
    failed({ code: 'request.invalid' as const, fields: [{ path, code }] });
  switch (wanted.kind) {
    case 'set-card-rule': {
      const cardTariffId = await usableRule(trx, caller, wanted.cardTariffId);
      return cardTariffId === null ? fault('cardTariffId') : ok(() => ({ cardTariffId }));
    }
    case 'set-wechat-rule': {
      if (wanted.wechatTariffId === undefined) return ok(() => ({ wechatTariffId: null }));
      const wechatTariffId = await usableRule(trx, caller, wanted.wechatTariffId);
      return wechatTariffId === null ? fault('wechatTariffId') : ok(() => ({ wechatTariffId }));
    }
    case 'move-to-site': {
      const { siteId } = wanted;
      const site = await lockSite(trx, caller, siteId);
      return site === undefined ? fault('siteId') : ok(() => ({ siteId, agentId: site.agentId }));
    }
    case 'hand-to-agent': {
      const { agentId = null } = wanted;
      if (agentId === null && caller.agents !== 'all') return failed({ code: 'access.denied' });
      if (agentId !== null && !(await lockAgent(trx, caller, agentId))) return fault('agentId');
      return ok(() => ({ agentId }));
    }
    case 'extend-expiry': {
      const { expiresOn, months } = wanted;
      if ((expiresOn === undefined) === (months === undefined)) return fault('months', 'only_one');
      const today = shanghaiDate(at);
      return ok((before) => ({
        expiresOn: expiresOn ?? monthsAfter(before.expiresOn ?? today, today, months ?? 0),
      }));
    }
    case 'enable':
      return ok(() => ({ enabled: true }));
    case 'disable':
      return ok(() => ({ enabled: false }));
  }
}

/** The rule's version in force; null where the caller may not use it. */
async function usableRule(trx: Trx, caller: Caller, id: TariffId): Promise<TariffId | null> {
  const inForce = (await lockVersionsInForce(trx, [id])).get(id);
  if (inForce === undefined) return null;
  const usable = await scopedOrPlatform(trx.selectFrom('tariffs'), caller, 'tariffs.agent_id')
    .select('id')
    .where('id', '=', inForce)
    .executeTakeFirst();
  return usable?.id ?? null;
}

/** "2027-01-31" and one month is "2027-02-28"; what has expired begins today, and nothing ends after the last day. */
function monthsAfter(expiresOn: string, today: string, months: number): string {
  const from = expiresOn < today ? today : expiresOn;
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  if (last.getUTCFullYear() > Number(lastDay.slice(0, 4))) return lastDay;
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(day, last.getUTCDate())))
    .toISOString()
    .slice(0, 10);
}

type Changed = { before: Before; change: Change };

/** Stations that would be priced by the rule of an agent who is not theirs. */
async function refusedOf(trx: Trx, changed: readonly Changed[]) {
  const isAbout = ({ change }: Changed) =>
    change.agentId !== undefined || change.cardTariffId !== undefined || change.wechatTariffId !== undefined;
  const about = changed.filter(isAbout).map(({ before, change }) => ({ ...before, ...change }));
  const ids = [...new Set(about.flatMap((one) => [one.cardTariffId, one.wechatTariffId].filter((id) => id !== null)))];
  const owners = await trx
    .selectFrom('tariffs')
    .select(['id', 'agent_id'])
    .where(sql<boolean>`id = any(${ids})`)
    .where('agent_id', 'is not', null)
    .execute();
  const ownerOf = new Map(owners.map(({ id, agent_id }) => [id, agent_id]));
  const isForeign = (id: TariffId | null, agentId: AgentId | null) => {
    const owner = id === null ? undefined : ownerOf.get(id);
    return owner !== undefined && !mayPrice(owner, agentId);
  };
  return about
    .filter((one) => isForeign(one.cardTariffId, one.agentId) || isForeign(one.wechatTariffId, one.agentId))
    .map(({ number }) => ({ number, because: 'rule_of_other_agent' as const }))
    .sort((a, b) => (a.number < b.number ? -1 : 1));
}

/** Stations per statement: about a second on a busy machine. */
const writtenAtOnce = 1_000;

async function write(trx: Trx, changed: readonly Changed[]): Promise<void> {
  const rows = changed.map(({ before, change }) => ({ ...before, ...change }));
  for (let from = 0; from < rows.length; from += writtenAtOnce) {
    await writeRows(trx, rows.slice(from, from + writtenAtOnce));
  }
}

async function writeRows(trx: Trx, rows: readonly Before[]): Promise<void> {
  await sql`
    update stations
       set agent_id = made."agentId", site_id = made."siteId", card_tariff_id = made."cardTariffId",
           wechat_tariff_id = made."wechatTariffId", expires_on = made."expiresOn", enabled = made.enabled
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as made (id bigint, "agentId" bigint, "siteId" bigint, "cardTariffId" bigint, "wechatTariffId" bigint,
                      "expiresOn" date, enabled boolean)
     where stations.id = made.id`.execute(trx);
}

/** An auditor asks what happened to a station, so each has an entry of its own. */
async function note(
  trx: Trx,
  caller: Caller,
  { kind }: Wanted,
  changed: readonly Changed[],
  at: Instant,
): Promise<void> {
  const action = kind === 'enable' || kind === 'disable' ? `station.${kind}` : 'station.change';
  const entries = changed.flatMap(({ before, change }) => {
    const names = Object.keys(change) as (keyof Change)[];
    const differing = names.filter((name) => before[name] !== change[name]);
    if (differing.length === 0) return [];
    const pick = (from: Change) => Object.fromEntries(differing.map((name) => [name, from[name]]));
    return [{ action, recordKind: 'station', recordId: before.id, before: pick(before), after: pick(change) }];
  });
  await auditMany(trx, caller, at, entries);
}
