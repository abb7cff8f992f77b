import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Feedback, createFeedback as route } from '@voltdeck/contract/feedbacks';
import type { BodyOf } from '@voltdeck/contract/route';
import type { AgentId, CustomerId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { agentOfNewRecord, scoped, scopedByCards } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { findFeedback } from './queries.ts';

/**
 * Records feedback. It goes to the agent of the station, otherwise to the agent whose card the customer holds,
 * otherwise to the caller's own. A station or customer outside the caller's scope counts as unknown: only what the
 * person wrote is stored.
 */
export async function createFeedback(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Feedback, ApiError>> {
  const own = agentOfNewRecord(caller, undefined);
  if (own === undefined) return failed({ code: 'access.denied' });
  const pictures = await checkPictures(trx, caller, form.pictureKeys ?? []);
  if (!pictures.ok) return pictures;
  const station = await stationBy(trx, caller, form.stationNumber ?? '');
  const customer = await customerBy(trx, caller, form.phone ?? '');
  const { id } = await trx
    .insertInto('feedbacks')
    .values({
      kind: form.kind,
      description: form.description,
      phone: form.phone ?? '',
      customer_id: customer?.id ?? null,
      agent_id: station?.agent_id ?? customer?.agentId ?? own,
      station_id: station?.id ?? null,
      station_number: form.stationNumber ?? '',
      picture_keys: [...pictures.value],
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, { action: 'feedback.create', recordKind: 'feedback', recordId: id, after: form });
  return found(await findFeedback(trx, caller, id));
}

/** The pictures must have been uploaded for feedback; they are locked against deletion until the commit. */
async function checkPictures(
  trx: Trx,
  caller: Caller,
  keys: readonly string[],
): Promise<Result<readonly string[], ApiError>> {
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return ok([]);
  const rows = await scoped(trx.selectFrom('files'), caller, 'files.agent_id')
    .select('files.key')
    .where('files.key', 'in', wanted)
    .where('files.purpose', '=', 'feedback')
    .forKeyShare()
    .execute();
  const known = new Set(rows.map(({ key }) => key));
  const fields = keys.flatMap((key, index): FieldFault[] =>
    known.has(key) ? [] : [{ path: `pictureKeys.${index}`, code: 'unknown_reference' }],
  );
  return fields.length > 0 ? failed({ code: 'request.invalid', fields }) : ok(wanted);
}

async function stationBy(
  trx: Trx,
  caller: Caller,
  number: string,
): Promise<{ id: StationId; agent_id: AgentId | null } | undefined> {
  if (number === '') return undefined;
  return scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
    .select(['stations.id', 'stations.agent_id'])
    .where('stations.number', '=', number)
    .executeTakeFirst();
}

/** With the agent of the customer's newest card within the caller's scope. */
async function customerBy(
  trx: Trx,
  caller: Caller,
  phone: string,
): Promise<{ id: CustomerId; agentId: AgentId | null } | undefined> {
  if (phone === '') return undefined;
  const customer = await scopedByCards(trx.selectFrom('customers'), caller, 'customers.id')
    .select('customers.id')
    .where('customers.phone', '=', phone)
    .executeTakeFirst();
  if (customer === undefined) return undefined;
  const card = await scoped(trx.selectFrom('cards'), caller, 'cards.agent_id')
    .select('cards.agent_id')
    .where('cards.customer_id', '=', customer.id)
    .where('cards.agent_id', 'is not', null)
    .orderBy('cards.id', 'desc')
    .executeTakeFirst();
  return { id: customer.id, agentId: card?.agent_id ?? null };
}
