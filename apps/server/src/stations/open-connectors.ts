import type { openConnectors as route } from '@voltdeck/contract/connectors';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';

/** Opens or closes many gun ports, all or none. Closed ones start no new charge. */
export async function openConnectors(
  trx: Trx,
  caller: Caller,
  { connectorIds, open }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ changed: number }, ApiError>> {
  const ids = [...new Set(connectorIds)];
  const ports = await scoped(
    trx.selectFrom('connectors').innerJoin('stations', 'stations.id', 'connectors.station_id'),
    caller,
    'stations.agent_id',
  )
    .select(['connectors.id', 'connectors.name', 'connectors.open'])
    .where('connectors.id', 'in', ids)
    .orderBy('connectors.id')
    // The stations too: one that has gone to another agent meanwhile is no longer found.
    .forShare('stations')
    .forUpdate('connectors')
    .execute();
  if (ports.length < ids.length) return failed({ code: 'record.not_found' });
  const others = ports.filter((port) => port.open !== open);
  if (others.length === 0) return ok({ changed: 0 });
  await trx
    .updateTable('connectors')
    .set({ open })
    .where(
      'id',
      'in',
      others.map(({ id }) => id),
    )
    .execute();
  const entries = others.map(({ id, name }) => ({
    action: 'connector.change',
    recordKind: 'connector',
    recordId: id,
    before: { name, open: !open },
    after: { name, open },
  }));
  await auditMany(trx, caller, at, entries);
  return ok({ changed: others.length });
}
