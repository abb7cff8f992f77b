import type { DividedPlace, getDividedPlace } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { QueryOf } from '@voltdeck/contract/route';
import { divisionAt, leftBetween } from '@voltdeck/ledger/divider-room';
import type { PerFee, RateE4 } from '@voltdeck/ledger/share';
import type { DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { findTermPlace } from './find-term-place.ts';
import { findHolderTerms } from './holder-terms.ts';
import { findDivider } from './queries.ts';
import { spanOf } from './term-span.ts';

/** How a place is divided among the dividers of one holder, and what is left for new terms of one of them. */
export async function findDividedPlace(
  db: Kysely<Tables>,
  caller: Caller,
  id: DividerId,
  { siteId, stationId, ...days }: QueryOf<typeof getDividedPlace>,
  at: Instant,
): Promise<Result<DividedPlace, ApiError>> {
  const divider = await findDivider(db, caller, id, at);
  if (divider === null) return failed({ code: 'record.not_found' });
  const { agentId, agentName } = divider;
  const named = await findTermPlace(
    db,
    caller,
    agentId,
    { siteId: siteId ?? null, stationId: stationId ?? null },
    { isLocked: false },
  );
  if (named === null) return failed({ code: 'record.not_found' });
  const span = spanOf(days, at, { past: true });
  if (!span.ok) return span;
  const terms = await findHolderTerms(db, agentId, named.place, span.value);
  const { dividers, leftE4 } = divisionAt(terms, named.place, span.value.fromMs);
  const names = await db
    .selectFrom('dividers')
    .select(['id', 'name'])
    .where('id', 'in', [id, ...dividers.map((each) => each.id)])
    .execute();
  return ok({
    agentId,
    agentName,
    dividers: dividers.map(({ id: dividerId, rateE4 }) => ({
      id: dividerId,
      name: names.find((each) => each.id === dividerId)?.name ?? '',
      ...percentsOf(rateE4),
    })),
    remainder: percentsOf(leftE4),
    left: percentsOf(leftBetween(terms, named.place, span.value)),
  });
}

function percentsOf({ electricity, service, occupancy }: PerFee<RateE4>) {
  return {
    electricityPercent: electricity / 100,
    servicePercent: service / 100,
    occupancyPercent: occupancy / 100,
  };
}
