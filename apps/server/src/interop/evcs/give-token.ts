import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { liveTokensMax, tokenLifetimeMs } from '@voltdeck/tcec102/conversation';
import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import type { Message } from '@voltdeck/tcec102/messages/all';
import type { PartnerId } from '@voltdeck/units/id';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { Partner } from '../partner.ts';

const tokenBytes = 32;

/** FailReason of query_token. */
const failures = { none: 0, unknownOperator: 1, wrongSecret: 2 } as const;

/** Gives a partner a token. Those that it has stay valid: it may run on several machines, or ask again after a crash. */
export async function giveToken(
  db: Kysely<Tables>,
  partner: Partner,
  keys: PartnerKeys,
  asked: Message<'query_token', 'request'>,
  at: Instant,
): Promise<Message<'query_token', 'answer'>> {
  const refused = (FailReason: number) => ({ OperatorID: asked.OperatorID, SuccStat: 1, FailReason });
  if (asked.OperatorID.toUpperCase() !== partner.operatorId) return refused(failures.unknownOperator);
  if (!isSame(asked.OperatorSecret, keys.operatorSecret)) return refused(failures.wrongSecret);
  const token = randomBytes(tokenBytes).toString('base64url');
  await db
    .insertInto('partner_tokens')
    .values({
      hash: hashOf(token),
      partner_id: partner.id,
      issued_at: at,
      expires_at: instant(at + tokenLifetimeMs),
    })
    .execute();
  await sql`
    delete from partner_tokens
     where partner_id = ${partner.id}
       and (expires_at <= to_timestamp(${at} / 1000.0) or id not in (
         select id from partner_tokens where partner_id = ${partner.id}
          order by id desc limit ${liveTokensMax}))`.execute(db);
  return {
    OperatorID: partner.operatorId,
    SuccStat: 0,
    AccessToken: token,
    TokenAvailableTime: tokenLifetimeMs / secondMs,
    FailReason: failures.none,
  };
}

/** Whether a header carries a token that we gave this partner and that is still valid. */
export async function isTokenOf(
  db: Kysely<Tables>,
  partnerId: PartnerId,
  authorization: string | undefined,
  at: Instant,
): Promise<boolean> {
  const token = /^Bearer\s+([\w-]{1,512})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return false;
  const row = await db
    .selectFrom('partner_tokens')
    .select('partner_id')
    .where('hash', '=', hashOf(token))
    .where('partner_id', '=', partnerId)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return row !== undefined;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
