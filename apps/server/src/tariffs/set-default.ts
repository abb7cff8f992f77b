import type { EquipmentType } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { setDefaultTariff as route } from '@voltdeck/contract/tariffs';
import { largestPriceChange } from '@voltdeck/tariffs/largest-price-change';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { isInScope } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { type LockedRule, lockRule } from './lock-rule.ts';
import { findTariff } from './queries.ts';
import { stationsWithout } from './stations-without-rule.ts';

/** Makes a rule the one of new stations, the platform's or an agent's, or takes that from it again. */
export async function setDefault(
  trx: Trx,
  caller: Caller,
  id: TariffId,
  body: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const rule = await lockRule(trx, id);
  if (rule === null || !(rule.agentId === null || isInScope(caller, rule.agentId))) {
    return failed({ code: 'record.not_found' });
  }
  const owner = ownerOf(caller, rule, body);
  if (!owner.ok) return owner;
  const agentId = owner.value;
  const { equipmentType } = body;
  const present = await findPresentDefault(trx, agentId, equipmentType);
  const next = body.isDefault ? rule : null;
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'tariff_default',
      priceChangeE5: largestPriceChange(present?.detail ?? null, (next?.detail ?? null) as Tariff | null),
      agentId,
      subject: { kind: 'tariff', id: rule.ruleId, text: rule.name },
      // The agent that was meant, whatever the agents of who asked are by then.
      detail: { tariffId: id, body: { ...body, ...(agentId === null ? {} : { agentId }) } },
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  if (body.isDefault) {
    await trx
      .insertInto('tariff_defaults')
      .values({ agent_id: agentId, equipment_type: equipmentType, rule_id: rule.ruleId })
      .onConflict((conflict) => conflict.constraint('tariff_defaults_one').doUpdateSet({ rule_id: rule.ruleId }))
      .execute();
  } else {
    await trx
      .deleteFrom('tariff_defaults')
      .where(sql<boolean>`agent_id is not distinct from ${agentId}::bigint`)
      .where('equipment_type', '=', equipmentType)
      .where('rule_id', '=', rule.ruleId)
      .execute();
  }
  const stationsGiven =
    body.isDefault && body.givesToStations ? await giveToStations(trx, rule, agentId, equipmentType) : 0;
  await audit(trx, caller, at, {
    action: 'tariff.default',
    recordKind: 'tariff',
    recordId: rule.ruleId,
    after: { ...body, agentId, stationCount: stationsGiven },
  });
  const tariff = await findTariff(trx, caller, rule.inForceId);
  return tariff === null ? failed({ code: 'record.not_found' }) : ok({ tariff, stationsGiven });
}

/** The rule that new stations get now. */
export async function findPresentDefault(
  db: Kysely<Tables>,
  agentId: AgentId | null,
  equipmentType: EquipmentType,
): Promise<{ name: string; detail: Tariff } | null> {
  const present = await db
    .selectFrom('tariff_defaults as d')
    .innerJoin('tariffs', (join) =>
      join.onRef('tariffs.rule_id', '=', 'd.rule_id').on('tariffs.state', '=', sql.lit('in_force')),
    )
    .select(['tariffs.name', 'tariffs.detail'])
    .where(sql<boolean>`d.agent_id is not distinct from ${agentId}::bigint`)
    .where('d.equipment_type', '=', equipmentType)
    .executeTakeFirst();
  return present === undefined ? null : { name: present.name, detail: present.detail as Tariff };
}

/** Whose default is set: null for the platform's. */
function ownerOf(caller: Caller, rule: LockedRule, body: BodyOf<typeof route>): Result<AgentId | null, ApiError> {
  if (body.for === 'platform') {
    const isAllowed = may(caller, 'tariff.platform_default');
    if (caller.agents !== 'all' || !isAllowed) return failed({ code: 'access.denied' });
    // Every agent's stations may get it, so it must be one that every agent sees.
    return rule.agentId === null ? ok(null) : failed({ code: 'tariff.not_platforms' });
  }
  const agentId = body.agentId ?? (caller.agents === 'all' ? rule.agentId : caller.agents[0]);
  if (agentId === null || agentId === undefined) {
    return caller.agents === 'all'
      ? failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'required' }] })
      : failed({ code: 'access.denied' });
  }
  const isAllowed = isInScope(caller, agentId) && (rule.agentId === null || rule.agentId === agentId);
  return isAllowed
    ? ok(agentId)
    : failed({ code: 'request.invalid', fields: [{ path: 'agentId', code: 'unknown_reference' }] });
}

/** Stations per statement: about a second on a busy machine. */
const givenAtOnce = 1_000;

async function giveToStations(
  trx: Trx,
  rule: LockedRule,
  agentId: AgentId | null,
  equipmentType: EquipmentType,
): Promise<number> {
  for (let sum = 0; ; ) {
    const given = await giveToSome(trx, rule, agentId, equipmentType);
    sum += given;
    if (given < givenAtOnce) return sum;
  }
}

async function giveToSome(
  trx: Trx,
  rule: LockedRule,
  agentId: AgentId | null,
  equipmentType: EquipmentType,
): Promise<number> {
  const given = await trx
    .with('due', () =>
      stationsWithout(trx, agentId, equipmentType)
        .select('stations.id')
        .orderBy('stations.id')
        .limit(givenAtOnce)
        .forNoKeyUpdate(),
    )
    .updateTable('stations')
    .from('due')
    .set({ card_tariff_id: rule.inForceId })
    .whereRef('stations.id', '=', 'due.id')
    .executeTakeFirst();
  return Number(given.numUpdatedRows);
}
