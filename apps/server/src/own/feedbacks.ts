import type { ApiError } from '@voltdeck/contract/errors';
import type { listOwnFeedbacks, OwnFeedback, createOwnFeedback as route } from '@voltdeck/contract/own';
import type { AnswerOf, BodyOf, QueryOf } from '@voltdeck/contract/route';
import { dayMs, type Instant, instant, isoOrNull, secondMs, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { findPort } from './find-connector.ts';
import { pageBy, toPage } from './page.ts';

/** What one customer may write in a day: people read it. */
export const feedbacksPerDayMax = 20;

function ownFeedbacks(db: Kysely<Tables>, caller: CustomerCaller) {
  return ofCustomer(db.selectFrom('feedbacks'), caller, 'feedbacks.customer_id')
    .select(['id', 'kind', 'state', 'description', 'station_number as stationNumber', 'reply'])
    .select(['handled_at as handledAt', 'created_at as createdAt']);
}

type FeedbackRow = Omit<OwnFeedback, 'handledAt' | 'createdAt'> & { handledAt: Instant | null; createdAt: Instant };

const toOwnFeedback = ({ handledAt, createdAt, ...feedback }: FeedbackRow): OwnFeedback => ({
  ...feedback,
  handledAt: isoOrNull(handledAt),
  createdAt: toIso(createdAt),
});

export async function findOwnFeedbacks(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  page: QueryOf<typeof listOwnFeedbacks>,
): Promise<AnswerOf<typeof listOwnFeedbacks>> {
  const feedbacks = pageBy(ownFeedbacks(db, caller), page, { at: 'feedbacks.created_at', id: 'feedbacks.id' });
  return toPage(await feedbacks.execute(), page, ({ createdAt }) => createdAt, toOwnFeedback);
}

/** It goes to the agent of the station that it is about, otherwise to the platform. */
export async function createOwnFeedback(
  trx: Trx,
  caller: CustomerCaller,
  { kind, description, qr }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<OwnFeedback, ApiError>> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`feedback of ${caller.customerId}`}, 0))`.execute(trx);
  const recent = await ofCustomer(trx.selectFrom('feedbacks'), caller, 'feedbacks.customer_id')
    .select('created_at')
    .where('created_at', '>', instant(at - dayMs))
    .orderBy('created_at', 'desc')
    .limit(feedbacksPerDayMax)
    .execute();
  const oldest = recent[feedbacksPerDayMax - 1];
  if (oldest !== undefined) {
    const seconds = Math.ceil((oldest.created_at + dayMs - at) / secondMs);
    return failed({ code: 'my.too_many_feedbacks', params: { seconds } });
  }
  const port = qr === undefined ? null : await findPort(trx, qr);
  if (qr !== undefined && port === null) {
    return failed({ code: 'request.invalid', fields: [{ path: 'qr', code: 'unknown_reference' }] });
  }
  const { id } = await trx
    .insertInto('feedbacks')
    .values({
      kind,
      description,
      phone: caller.phone,
      customer_id: caller.customerId,
      agent_id: port?.agentId ?? null,
      station_id: port?.stationId ?? null,
      station_number: port?.stationNumber ?? '',
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, caller, at, {
    action: 'feedback.create',
    recordKind: 'feedback',
    recordId: id,
    after: { kind, description, qr, customerId: caller.customerId },
  });
  return ok(toOwnFeedback(await ownFeedbacks(trx, caller).where('id', '=', id).executeTakeFirstOrThrow()));
}
