import type { EquipmentType } from '@voltdeck/charging/states';
import type { AgentId, TariffId } from '@voltdeck/units/id';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

type Rules = { cardTariffId?: TariffId | undefined; wechatTariffId?: TariffId | undefined };

/**
 * The same rules by their versions in force, kept in force until the commit: a form that was opened before a change of
 * prices must not bring the old ones back. Called before the station is locked, since rules are locked before stations.
 */
export async function withRulesInForce<Form extends Rules>(trx: Trx, form: Form): Promise<Form> {
  const ids = [form.cardTariffId, form.wechatTariffId].filter((id) => id !== undefined);
  if (ids.length === 0) return form;
  const inForce = await lockVersionsInForce(trx, ids);
  return {
    ...form,
    ...(form.cardTariffId === undefined ? {} : { cardTariffId: inForce.get(form.cardTariffId) ?? form.cardTariffId }),
    ...(form.wechatTariffId === undefined
      ? {}
      : { wechatTariffId: inForce.get(form.wechatTariffId) ?? form.wechatTariffId }),
  };
}

/** Whether a rule may price the stations of an agent: its own rules and the platform's, never those of another. */
export function mayPrice(ruleAgentId: AgentId | null, stationAgentId: AgentId | null): boolean {
  return ruleAgentId === null || ruleAgentId === stationAgentId;
}

/** The opposite of `mayPrice` in SQL, of two columns or parameters. */
export function mayNotPrice(
  ruleAgentId: RawBuilder<unknown>,
  stationAgentId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(${ruleAgentId} is not null and ${ruleAgentId} is distinct from ${stationAgentId})`;
}

/** The version in force of the rule that each id names, locked against another one until the commit. */
export async function lockVersionsInForce(
  trx: Trx,
  ids: readonly TariffId[],
): Promise<ReadonlyMap<TariffId, TariffId>> {
  const heads = await trx
    .selectFrom('tariffs')
    .select('id')
    .where('id', 'in', (query) =>
      query.selectFrom('tariffs as named').select('named.rule_id').where('named.id', 'in', ids),
    )
    .where('archived_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  if (heads.length === 0) return new Map();
  const rows = await trx
    .selectFrom('tariffs as named')
    .innerJoin('tariffs as current', (join) =>
      join.onRef('current.rule_id', '=', 'named.rule_id').on('current.state', '=', sql.lit('in_force')),
    )
    .select(['named.id as asked', 'current.id as inForce'])
    .where('named.id', 'in', ids)
    .where(
      'named.rule_id',
      'in',
      heads.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map(({ asked, inForce }) => [asked, inForce]));
}

/**
 * The default rules of new stations, each looked up once: for a station for which nobody chose a rule its agent's,
 * otherwise the platform's, or none.
 */
export class DefaultRules {
  readonly #trx: Trx;
  readonly #found = new Map<string, TariffId | null>();

  constructor(trx: Trx) {
    this.#trx = trx;
  }

  /** The station gets the rule for good, whatever the default is later. */
  async complete<Form extends Rules & { equipmentType: EquipmentType }>(
    form: Form,
    agentId: AgentId | null,
  ): Promise<Form> {
    if (form.cardTariffId !== undefined || form.wechatTariffId !== undefined) return form;
    const { equipmentType } = form;
    const key = `${agentId ?? ''} ${equipmentType}`;
    const known = this.#found.get(key);
    const cardTariffId = known === undefined ? await defaultTariffOf(this.#trx, { agentId, equipmentType }) : known;
    this.#found.set(key, cardTariffId);
    return cardTariffId === null ? form : { ...form, cardTariffId };
  }
}

async function defaultTariffOf(
  trx: Trx,
  { agentId, equipmentType }: { agentId: AgentId | null; equipmentType: EquipmentType },
): Promise<TariffId | null> {
  const chosen = await trx
    .selectFrom('tariff_defaults')
    .select('rule_id')
    .where('equipment_type', '=', equipmentType)
    .where(sql<boolean>`(agent_id is null or agent_id = ${agentId}::bigint)`)
    .orderBy(sql`agent_id nulls last`)
    .limit(1)
    .executeTakeFirst();
  if (chosen === undefined) return null;
  return (await lockVersionsInForce(trx, [chosen.rule_id])).get(chosen.rule_id) ?? null;
}
