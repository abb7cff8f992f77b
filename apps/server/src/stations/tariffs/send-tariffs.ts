import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { sendTariffs as route } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Context } from '../../context.ts';
import { sendTariff } from './send-tariff.ts';

/** Sends each station its own tariff; the outcomes are independent. */
export async function sendTariffs(
  context: Context,
  caller: Caller,
  stationIds: readonly StationId[],
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const { db } = context.database;
  const ids = [...new Set(stationIds)];
  const rows = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select(['id', 'number', 'protocol', 'agent_id as agentId'])
    .where('id', 'in', ids)
    .execute();
  const stations = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !stations.has(id))) {
    return failed({ code: 'request.invalid', fields: [{ path: 'stationIds', code: 'unknown_reference' }] });
  }
  const sent = await Promise.all(
    rows.map(async (station) => {
      const outcome = protocolTraits[station.protocol].billsItself
        ? await sendTariff(context, station)
        : ({ kind: 'not-supported' } as const);
      const reason = outcome?.kind === 'rejected' ? (outcome.reason ?? null) : null;
      return { stationId: station.id, outcome: outcome?.kind ?? 'no-tariff', reason };
    }),
  );
  await db.transaction().execute(async (trx) => {
    for (const { stationId, outcome } of sent) {
      await audit(trx, caller, at, {
        action: 'station.command.set-tariff',
        recordKind: 'station',
        recordId: stationId,
        after: { command: { kind: 'set-tariff' }, outcome },
      });
    }
  });
  return ok(sent);
}
