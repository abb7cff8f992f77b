import type { EventAnswer } from '@voltdeck/charging/station-event';
import type { AgentId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import { findOwnTariff, publishTariff, runs } from './send-tariff.ts';
import { stationTariffOf, tariffVersionOf } from './station-tariff.ts';

type Asking = { stationId: StationId; agentId: AgentId | null };

/**
 * Answers a station's tariff version. It is confirmed only where we gave the station this very tariff, since another
 * platform may use the same number. A station billed by the hour needs no tariff and keeps what it has.
 */
export async function checkTariff(
  context: Context,
  { stationId, agentId }: Asking,
  version: string,
  receivedAt: Instant,
): Promise<EventAnswer> {
  const { db } = context.database;
  const [own, before] = await Promise.all([
    findOwnTariff(db, stationId),
    db
      .selectFrom('stations')
      .select(['running_tariff_id', 'running_tariff_version', 'card_tariff_id', 'wechat_tariff_id'])
      .where('id', '=', stationId)
      .executeTakeFirstOrThrow(),
  ]);
  const isSame = before.running_tariff_version === version;
  if (!isSame) {
    await db
      .updateTable('stations')
      .set({
        running_tariff_id: null,
        running_tariff_version: version,
        running_tariff_at: receivedAt,
        // What it answered before was about another tariff.
        tariff_asked_at: null,
        tariff_outcome: null,
        tariff_answer: null,
      })
      .where('id', '=', stationId)
      .execute();
    publishTariff(context, { stationId, agentId });
  }
  const isCurrent =
    own === null
      ? (before.card_tariff_id ?? before.wechat_tariff_id) !== null
      : isSame && before.running_tariff_id === own.id && version === tariffVersionOf(own.id);
  return { kind: 'tariff-checked', isCurrent };
}

/** A station requests the tariff it should run. A lost answer is noticed when it next reports its version. */
export async function giveTariff(
  context: Context,
  { stationId, agentId }: Asking,
  receivedAt: Instant,
): Promise<EventAnswer> {
  const { db } = context.database;
  const own = await findOwnTariff(db, stationId);
  if (own === null) return { kind: 'tariff', tariff: null };
  await db.updateTable('stations').set(runs(own.id, receivedAt)).where('id', '=', stationId).execute();
  publishTariff(context, { stationId, agentId });
  return { kind: 'tariff', tariff: stationTariffOf(own.id, own.detail) };
}
