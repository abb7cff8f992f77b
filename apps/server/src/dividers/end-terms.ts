import type { DividerTerm } from '@voltdeck/contract/dividers';
import type { ApiError } from '@voltdeck/contract/errors';
import type { DividerId } from '@voltdeck/units/id';
import { type Instant, instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { type DividerTermId, findTerm } from './term-queries.ts';
import { endOf } from './term-span.ts';

const lockedColumns = [
  'id',
  'divider_id as dividerId',
  'agent_id as agentId',
  'site_id as siteId',
  'station_id as stationId',
  'from_at as fromAt',
  'to_at as toAt',
] as const;

/** The terms, locked until the transaction ends. */
export async function lockTerms(trx: Trx, caller: Caller, id: DividerTermId) {
  const terms = await scoped(trx.selectFrom('divider_terms'), caller, 'divider_terms.agent_id')
    .select([...lockedColumns])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const result: Result<typeof terms & {}, ApiError> =
    terms === undefined ? failed({ code: 'record.not_found' }) : ok(terms);
  return result;
}

type Locked = Extract<Awaited<ReturnType<typeof lockTerms>>, { ok: true }>['value'];

/** Sets the end of terms that are in force. */
export async function endTermsAt(
  trx: Trx,
  caller: Caller,
  { id, dividerId, fromAt, toAt }: Locked,
  end: Instant,
  at: Instant,
): Promise<Result<null, ApiError>> {
  if (toAt !== null && toAt <= at) return failed({ code: 'divider.terms_over' });
  if (fromAt >= at) return failed({ code: 'divider.terms_to_come' });
  if (toAt !== null && toAt < end) {
    return failed({ code: 'divider.terms_end_earlier', params: { day: shanghaiDate(instant(toAt - 1)) } });
  }
  await trx
    .updateTable('divider_terms')
    .set({ to_at: end, ended_by: caller.userId, ended_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'divider_term.end',
    recordKind: 'divider',
    recordId: dividerId,
    before: { to: toAt === null ? null : toIso(toAt) },
    after: { to: toIso(end) },
  });
  return ok(null);
}

/** Ends terms now, or after a last day. Terms that are over stay as they are: orders have been divided by them. */
export async function endTerms(
  trx: Trx,
  caller: Caller,
  id: DividerTermId,
  lastOn: string | null,
  at: Instant,
): Promise<Result<DividerTerm, ApiError>> {
  const locked = await lockTerms(trx, caller, id);
  if (!locked.ok) return locked;
  const end = lastOn === null ? at : endOf(lastOn);
  if (end !== null && end < at) {
    return failed({ code: 'request.invalid', fields: [{ path: 'lastOn', code: 'in_past' }] });
  }
  if (end !== null) {
    const ended = await endTermsAt(trx, caller, locked.value, instant(end), at);
    if (!ended.ok) return ended;
  }
  return found(await findTerm(trx, caller, id, at));
}

/** Takes back terms that have not begun. */
export async function takeBackTerms(
  trx: Trx,
  caller: Caller,
  id: DividerTermId,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const locked = await lockTerms(trx, caller, id);
  if (!locked.ok) return locked;
  const { dividerId, fromAt } = locked.value;
  if (fromAt <= at) return failed({ code: 'divider.terms_begun' });
  const before = await findTerm(trx, caller, id, at);
  await trx.deleteFrom('divider_terms').where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'divider_term.take_back',
    recordKind: 'divider',
    recordId: dividerId,
    before,
  });
  return ok(null);
}

/** Every term of a divider that is not over, locked until the transaction ends. */
export async function lockTermsOf(trx: Trx, id: DividerId, at: Instant): Promise<Locked[]> {
  return trx
    .selectFrom('divider_terms')
    .select([...lockedColumns])
    .where('divider_id', '=', id)
    .where((eb) => eb.or([eb('to_at', 'is', null), eb('to_at', '>', at)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}
