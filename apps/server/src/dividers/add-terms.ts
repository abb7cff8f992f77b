import type {
  addDividerTermsAtSites,
  addDividerTerms as addRoute,
  DividerTerm,
  followDividerTerms as followRoute,
} from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import { findNoRoom, type NoRoom, type PlacedTerms } from '@voltdeck/ledger/divider-room';
import { type FeeKind, feeKinds, type PerFee, type RateE4 } from '@voltdeck/ledger/share';
import type { AgentId, DividerId, SiteId, StationId } from '@voltdeck/units/id';
import { type Instant, instant, isoOrNull, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { messageOf } from '../http/refusal.ts';
import { endTermsAt, lockTerms } from './end-terms.ts';
import { findTermPlace, type NamedPlace } from './find-term-place.ts';
import { findHolderTerms, lockHolder, type Span } from './holder-terms.ts';
import { lockDivider } from './lock-divider.ts';
import { type DividerTermId, findTerm } from './term-queries.ts';
import { spanOf } from './term-span.ts';

type Percents = { electricityPercent: number; servicePercent: number; occupancyPercent: number };
type Wanted = { divider: { id: DividerId; agentId: AgentId | null }; rateE4: PerFee<RateE4>; span: Span };

/** Adds terms of a divider at one place: refused where its holder has not that much left, and where it has the same. */
export async function addTerms(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  { siteId = null, stationId = null, ...form }: BodyOf<typeof addRoute>,
  at: Instant,
): Promise<Result<DividerTerm, ApiError>> {
  const wanted = await wantedOf(trx, caller, id, form, at, { past: true });
  if (!wanted.ok) return wanted;
  const named = await findTermPlace(
    trx,
    caller,
    wanted.value.divider.agentId,
    { siteId, stationId },
    { isLocked: true },
  );
  if (named === null) {
    const path = stationId === null ? 'siteId' : 'stationId';
    return failed({ code: 'request.invalid', fields: [{ path, code: 'unknown_reference' }] });
  }
  const added = await addAt(trx, caller, wanted.value, named, at);
  return added.ok ? found(await findTerm(trx, caller, added.value, at)) : added;
}

/** Adds the same terms at many sites: at each of them on its own, where there is room. */
export async function addTermsAtSites(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  { siteIds, ...form }: BodyOf<typeof addDividerTermsAtSites>,
  at: Instant,
): Promise<Result<AnswerOf<typeof addDividerTermsAtSites>, ApiError>> {
  const wanted = await wantedOf(trx, caller, id, form, at, { past: true });
  if (!wanted.ok) return wanted;
  const results = [];
  for (const siteId of [...new Set(siteIds)].sort((one, other) => one - other)) {
    const place = { siteId, stationId: null };
    const named = await findTermPlace(trx, caller, wanted.value.divider.agentId, place, { isLocked: true });
    const added: Result<DividerTermId, ApiError> =
      named === null ? failed({ code: 'record.not_found' }) : await addAt(trx, caller, wanted.value, named, at);
    results.push({
      siteId,
      siteName: named?.name ?? null,
      termId: added.ok ? added.value : null,
      because: added.ok ? null : messageOf(added.error, caller.language),
    });
  }
  return ok({ added: results.filter(({ termId }) => termId !== null).length, results });
}

/** Ends terms that are in force and follows them by others at the same place, without a gap. */
export async function followTerms(
  trx: Trx,
  caller: Caller,
  id: DividerTermId,
  form: BodyOf<typeof followRoute>,
  at: Instant,
): Promise<Result<DividerTerm, ApiError>> {
  const terms = await findTerm(trx, caller, id, at);
  if (terms === null) return failed({ code: 'record.not_found' });
  // The divider is locked before its terms, as everywhere.
  const wanted = await wantedOf(trx, caller, terms.dividerId, form, at, { past: false });
  if (!wanted.ok) return wanted;
  const before = await lockTerms(trx, caller, id);
  if (!before.ok) return before;
  const { agentId, siteId, stationId } = before.value;
  const ended = await endTermsAt(trx, caller, before.value, instant(wanted.value.span.fromMs), at);
  if (!ended.ok) return ended;
  const named = await findTermPlace(trx, caller, agentId, { siteId, stationId }, { isLocked: true });
  // The place may have gone to somebody else since.
  if (named === null) return failed({ code: 'record.not_found' });
  const added = await addAt(trx, caller, wanted.value, named, at);
  return added.ok ? found(await findTerm(trx, caller, added.value, at)) : added;
}

async function wantedOf(
  trx: Trx,
  caller: Caller,
  id: DividerId,
  form: Percents & Parameters<typeof spanOf>[0],
  at: Instant,
  when: Parameters<typeof spanOf>[2],
): Promise<Result<Wanted, ApiError>> {
  const divider = await lockDivider(trx, caller, id);
  if (!divider.ok) return divider;
  if (!divider.value.enabled) return failed({ code: 'divider.disabled' });
  const span = spanOf(form, at, when);
  if (!span.ok) return span;
  const rateE4 = {
    electricity: Math.round(form.electricityPercent * 100),
    service: Math.round(form.servicePercent * 100),
    occupancy: Math.round(form.occupancyPercent * 100),
  };
  if (feeKinds.every((fee) => rateE4[fee] === 0)) return failed({ code: 'divider.nothing_shared' });
  await lockHolder(trx, divider.value.agentId);
  return ok({ divider: divider.value, rateE4, span: span.value });
}

/** The holder must be locked. */
async function addAt(
  trx: Trx,
  caller: Caller,
  { divider, rateE4, span }: Wanted,
  { place }: NamedPlace,
  at: Instant,
): Promise<Result<DividerTermId, ApiError>> {
  const siteId = place.kind === 'site' ? place.siteId : null;
  const stationId = place.kind === 'station' ? place.stationId : null;
  const added: PlacedTerms = {
    dividerId: divider.id,
    agentId: divider.agentId,
    rateE4,
    ...span,
    siteId,
    stationId,
    stationSiteId: place.kind === 'station' ? place.siteId : null,
  };
  const present = await findHolderTerms(trx, divider.agentId, place, span);
  const noRoom = findNoRoom(present, added);
  if (noRoom !== null) return failed(await refusalOf(trx, caller, noRoom));
  const same = findSame(present, added);
  if (same !== null) return failed(await refusalOfSame(trx, same, place));
  const fromAt = instant(span.fromMs);
  const toAt = span.toMs === null ? null : instant(span.toMs);
  const { id } = await trx
    .insertInto('divider_terms')
    .values({
      divider_id: divider.id,
      agent_id: divider.agentId,
      site_id: siteId,
      station_id: stationId,
      electricity_e4: rateE4.electricity,
      service_e4: rateE4.service,
      occupancy_e4: rateE4.occupancy,
      from_at: fromAt,
      to_at: toAt,
      user_id: caller.userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, {
    action: 'divider_term.add',
    recordKind: 'divider',
    recordId: divider.id,
    after: {
      siteId,
      stationId,
      electricityPercent: rateE4.electricity / 100,
      servicePercent: rateE4.service / 100,
      occupancyPercent: rateE4.occupancy / 100,
      from: toIso(fromAt),
      to: isoOrNull(toAt),
    },
  });
  return ok(id);
}

type Same = { fee: FeeKind; terms: PlacedTerms };

/** Terms of the same divider at the same place, out of those that overlap, with the same rate of a fee: sent twice. */
function findSame(present: readonly PlacedTerms[], added: PlacedTerms): Same | null {
  const ofPlace = present.filter(
    ({ dividerId, siteId, stationId }) =>
      dividerId === added.dividerId && siteId === added.siteId && stationId === added.stationId,
  );
  for (const fee of feeKinds) {
    const terms = ofPlace.find(({ rateE4 }) => rateE4[fee] > 0 && rateE4[fee] === added.rateE4[fee]);
    if (terms !== undefined) return { fee, terms };
  }
  return null;
}

async function refusalOfSame(trx: Trx, { fee, terms }: Same, place: NamedPlace['place']): Promise<ApiError> {
  const placeName = place.kind === 'everywhere' ? null : await nameOf(trx, place);
  return {
    code: 'divider.same_terms',
    params: {
      ...(placeName === null ? {} : { place: placeName }),
      percent: terms.rateE4[fee] / 100,
      day: shanghaiDate(instant(terms.fromMs)),
    },
    words: { fee: `divider-fee.${fee}`, ...(placeName === null ? { place: 'dividers.everywhere' } : {}) },
  };
}

/** Dividers that a refusal names. */
const namedMax = 6;

/** Says who has how much there already, and what is left. */
async function refusalOf(
  trx: Trx,
  { language }: Caller,
  { fee, over, place, atMs, dividers, leftE4 }: NoRoom,
): Promise<ApiError> {
  const holders = dividers.filter(({ rateE4 }) => rateE4[fee] > 0);
  const shown = holders.slice(0, namedMax);
  const names = await trx
    .selectFrom('dividers')
    .select(['id', 'name'])
    .where('id', 'in', [0 as DividerId, ...shown.map(({ id }) => id)])
    .execute();
  const taken = shown.map(
    ({ id, rateE4 }) => `${names.find((each) => each.id === id)?.name ?? id} ${rateE4[fee] / 100}%`,
  );
  if (holders.length > shown.length) taken.push('…');
  const placeName = place.kind === 'everywhere' ? null : await nameOf(trx, place);
  return {
    code: 'divider.no_room',
    params: {
      ...(placeName === null ? {} : { place: placeName }),
      day: shanghaiDate(instant(atMs)),
      taken: new Intl.ListFormat(language, { type: 'unit', style: language === 'en' ? 'long' : 'narrow' }).format(
        taken,
      ),
      left: leftE4[fee] / 100,
    },
    words: { fee: `divider-fee.${fee}`, ...(placeName === null ? { place: 'dividers.everywhere' } : {}) },
    fields: over.map((each) => ({ path: `${each}Percent`, code: 'too_big', params: { max: leftE4[each] / 100 } })),
  };
}

async function nameOf(
  trx: Trx,
  place: { kind: 'site'; siteId: SiteId } | { kind: 'station'; stationId: StationId },
): Promise<string> {
  const row =
    place.kind === 'site'
      ? await trx.selectFrom('sites').select('name').where('id', '=', place.siteId).executeTakeFirstOrThrow()
      : await trx.selectFrom('stations').select('name').where('id', '=', place.stationId).executeTakeFirstOrThrow();
  return row.name;
}
