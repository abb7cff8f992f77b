import type { ApiError } from '@voltdeck/contract/errors';
import type { Id } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { auditMany } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { isOfState } from './deliver/delivery.ts';

type DeliveryId = Id<'partner_delivery'>;

/**
 * Tells partners again at once. A fact is told again by its own delivery. Of a state only the present one can be told, so
 * it gets a new delivery unless one is pending already, which is then due now. Each partner still gets no more in a second
 * than its rate allows.
 */
export async function replayDeliveries(
  trx: Trx,
  caller: Caller,
  ids: readonly DeliveryId[],
  at: Instant,
): Promise<Result<{ count: number }, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const now = sql`${toIso(at)}::timestamptz`;
  const chosen = await lock(trx, ids);
  const idsOf = (of: (row: (typeof chosen)[number]) => boolean) => chosen.filter(of).map(({ id }) => id);
  const pending = idsOf(({ state }) => state === 'pending');
  const facts = idsOf(({ state, isState }) => state !== 'pending' && !isState);
  const states = idsOf(({ state, isState }) => state !== 'pending' && isState);
  await sql`update partner_deliveries set next_at = least(next_at, ${now}) where id = any(${pending}::bigint[])`.execute(
    trx,
  );
  await sql`
    update partner_deliveries
       set state = 'pending', next_at = ${now}, tries = 0, done_at = null, version = version + 1
     where id = any(${facts}::bigint[])`.execute(trx);
  await sql`
    insert into partner_deliveries (partner_id, kind, subject, order_id, connector_id, site_id, next_at, created_at)
    select distinct on (partner_id, kind, subject)
           partner_id, kind, subject, order_id, connector_id, site_id, ${now}, ${now}
      from partner_deliveries where id = any(${states}::bigint[])
     order by partner_id, kind, subject, id desc
    on conflict (partner_id, kind, subject) where state = 'pending' and ${isOfState}
      do update set next_at = least(partner_deliveries.next_at, excluded.next_at)`.execute(trx);
  await note(
    trx,
    caller,
    'partner_delivery.replay',
    idsOf(() => true),
    at,
  );
  return ok({ count: chosen.length });
}

/** Stops telling what is still pending. What was told already stays told. */
export async function giveUpDeliveries(
  trx: Trx,
  caller: Caller,
  ids: readonly DeliveryId[],
  at: Instant,
): Promise<Result<{ count: number }, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const pending = (await lock(trx, ids)).filter(({ state }) => state === 'pending').map(({ id }) => id);
  await sql`
    update partner_deliveries set state = 'failed', next_at = null, done_at = ${toIso(at)}::timestamptz
     where id = any(${pending}::bigint[])`.execute(trx);
  await note(trx, caller, 'partner_delivery.give_up', pending, at);
  return ok({ count: pending.length });
}

type Chosen = { id: DeliveryId; state: string; isState: boolean };

async function lock(trx: Trx, ids: readonly DeliveryId[]): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select id, state, ${isOfState} as "isState"
      from partner_deliveries where id = any(${[...ids]}::bigint[]) order by id for update`.execute(trx);
  return rows;
}

function note(
  trx: Trx,
  caller: Caller,
  action: 'partner_delivery.replay' | 'partner_delivery.give_up',
  ids: readonly DeliveryId[],
  at: Instant,
): Promise<void> {
  return auditMany(
    trx,
    caller,
    at,
    ids.map((recordId) => ({ action, recordKind: 'partner_delivery', recordId })),
  );
}
