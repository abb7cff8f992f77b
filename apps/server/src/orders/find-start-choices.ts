import type { StartChoices } from '@voltdeck/contract/orders';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

/** What the rules of a gun port's station offer now; null where the caller does not reach the station. */
export async function findStartChoices(
  db: Kysely<Tables>,
  caller: Caller,
  id: ConnectorId,
): Promise<StartChoices | null> {
  const port = await scoped(
    db.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .leftJoin('tariffs as card_rule', 'card_rule.id', 'stations.card_tariff_id')
    .leftJoin('tariffs as customer_rule', (join) =>
      join.on(sql<boolean>`customer_rule.id = coalesce(stations.wechat_tariff_id, stations.card_tariff_id)`),
    )
    .select(['stations.free', 'card_rule.detail as card', 'customer_rule.detail as customer'])
    .where('connectors.id', '=', id)
    .executeTakeFirst();
  if (port === undefined) return null;
  const offered = (rule: unknown): StartChoices['card'] => {
    const { prepayment } = (rule ?? {}) as Partial<Tariff>;
    return port.free || prepayment === undefined ? null : { ...prepayment, choices: [...prepayment.choices] };
  };
  return { card: offered(port.card), customer: offered(port.customer) };
}
