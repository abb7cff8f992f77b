import type { ApiError } from '@voltdeck/contract/errors';
import type { retryPriceChange as route } from '@voltdeck/contract/price-changes';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { PriceChangeId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { lockPriceChange } from './lock-price-change.ts';

/**
 * Retries stations that refused or missed a price change. Idle ones are asked now, charging ones after their charge,
 * offline ones on reconnecting. Stations of another agent are left out.
 */
export async function retryPriceChange(
  trx: Trx,
  caller: Caller,
  id: PriceChangeId,
  stationIds: readonly StationId[] | undefined,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const locked = await lockPriceChange(trx, caller, id);
  if (!locked.ok) return locked;
  if (locked.value.state !== 'applied') return failed({ code: 'price_change.not_applied' });
  const due = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .select('id')
    .where('id', 'in', (eb) => {
      const open = eb
        .selectFrom('price_change_stations as r')
        .select('r.station_id')
        .where('r.price_change_id', '=', id)
        .where('r.state', 'in', ['refused', 'offline']);
      return stationIds === undefined ? open : open.where(sql<boolean>`r.station_id = any(${[...stationIds]})`);
    })
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const { rows } = await sql<AnswerOf<typeof route>>`
    with again as (
      update stations set tariff_asked_at = null, tariff_outcome = null, tariff_answer = null
       where id = any(${due.map((station) => station.id)})
      returning stations.online
    )
    select count(*) filter (where online)::int as asked, count(*) filter (where not online)::int as offline
      from again`.execute(trx);
  const outcome = rows[0] ?? { asked: 0, offline: 0 };
  await audit(trx, caller, at, {
    action: 'price_change.retry',
    recordKind: 'price_change',
    recordId: id,
    after: outcome,
  });
  return ok(outcome);
}
