import type { SignInResult } from '@voltdeck/contract/audit';
import type { SessionId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Stored length of a typed name. */
const nameLengthMax = 64;

export type SignInAttempt = {
  name: string;
  result: SignInResult;
  userId: UserId | null;
  sessionId: SessionId | null;
  remoteAddress: string;
  userAgent: string;
};

/** Records a sign-in attempt, also one under an unknown name. */
export async function noteSignIn(db: Kysely<Tables>, attempt: SignInAttempt, at: Instant): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({
      at,
      user_id: attempt.userId,
      name: attempt.name.slice(0, nameLengthMax),
      result: attempt.result,
      remote_address: attempt.remoteAddress,
      user_agent: attempt.userAgent,
      session_id: attempt.sessionId,
    })
    .execute();
}
