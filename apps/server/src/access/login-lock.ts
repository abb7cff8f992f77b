import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** Failures in a row before a user name is locked: for 30 s, then twice as long each time, up to 15 minutes. */
export const failuresPerUserMax = 5;
/** The same for an address; more, since a whole office may sit behind one. */
export const failuresPerAddressMax = 20;
/** Failures before a captcha is required. */
export const failuresBeforeCaptcha = { user: 3, address: 10 } as const;
/**
 * Time since the last failure after which no captcha is required: a person who cannot see the picture waits instead. One
 * attempt every five minutes is no faster than the lock allows anyway.
 */
export const captchaAskedMs = 5 * minuteMs;
const firstLockMs = 30 * secondMs;
const lockMsMax = 15 * minuteMs;
/** Failures further apart than this do not belong together. */
const forgottenAfterMs = 60 * minuteMs;

export type LoginAttempt = { name: string; remoteAddress: string };

/** What stands in the way of an attempt before its password is looked at. */
export type LoginState = { secondsLocked: number; needsCaptcha: boolean };

const subjectsOf = ({ name, remoteAddress }: LoginAttempt) => ({
  user: { subject: `user:${name.toLowerCase()}`, failuresMax: failuresPerUserMax },
  address: { subject: `address:${remoteAddress}`, failuresMax: failuresPerAddressMax },
});

/** How things stand for a name and an address, whether anybody has that name or not. */
export async function loginState(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<LoginState> {
  const { user, address } = subjectsOf(attempt);
  const rows = await db
    .selectFrom('login_failures')
    .select(['subject', 'failures', 'last_failed_at', 'locked_until_at'])
    .where('subject', 'in', [user.subject, address.subject])
    .execute();
  const until = Math.max(0, ...rows.map((row) => row.locked_until_at ?? 0));
  return {
    secondsLocked: Math.max(0, Math.ceil((until - at) / secondMs)),
    needsCaptcha: rows.some(({ subject, failures, last_failed_at }) => {
      const kind = subject === user.subject ? 'user' : 'address';
      return failures >= failuresBeforeCaptcha[kind] && at - last_failed_at < captchaAskedMs;
    }),
  };
}

/**
 * Counts an attempt as failed before its password is looked at, so that attempts at the same moment cannot pass the
 * count together; a success takes it back.
 * @returns the whole seconds to wait when the name or the address is locked by now, else 0.
 */
export async function beginAttempt(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<number> {
  const { user, address } = subjectsOf(attempt);
  for (const { subject, failuresMax } of [address, user]) {
    const isForgotten = sql`f.last_failed_at < ${ago(at, forgottenAfterMs)}`;
    const failures = sql`case when ${isForgotten} then 1 else f.failures + 1 end`;
    const { rows } = await sql<{ failures: number }>`
      insert into login_failures as f (subject, failures, last_failed_at, locked_until_at)
      values (${subject}, 1, ${ago(at, 0)}, null)
      on conflict (subject) do update set
        failures = ${failures},
        last_failed_at = case when ${isForgotten} then ${ago(at, 0)} else f.last_failed_at end,
        locked_until_at = case when ${failures} < ${failuresMax}::integer then null
          else ${ago(at, 0)} + least(${lockMsMax}::integer,
                                     ${firstLockMs}::integer * 2 ^ least(f.failures + 1 - ${failuresMax}::integer, 10))
                               * interval '1 millisecond' end
      where f.locked_until_at is null or f.locked_until_at <= ${ago(at, 0)}
      returning failures`.execute(db);
    if (rows.length > 0) continue;
    if (subject === user.subject) await takeBack(db, address.subject);
    const { secondsLocked } = await loginState(db, attempt, at);
    return Math.max(1, secondsLocked);
  }
  return 0;
}

/** The password was wrong: what was counted by `beginAttempt` stands, and the time of it matters from now on. */
export async function confirmFailure(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<void> {
  const { user, address } = subjectsOf(attempt);
  await db
    .updateTable('login_failures')
    .set({ last_failed_at: at })
    .where('subject', 'in', [user.subject, address.subject])
    .execute();
}

/**
 * A right password forgives the name; of the address only this attempt is taken back, or one known password would free
 * an attacker.
 */
export async function forgiveAttempt(db: Kysely<Tables>, attempt: LoginAttempt): Promise<void> {
  const { user, address } = subjectsOf(attempt);
  await takeBack(db, address.subject);
  await db.deleteFrom('login_failures').where('subject', '=', user.subject).execute();
}

/** No lock stood when the attempt began, so the one that stands is its own. */
async function takeBack(db: Kysely<Tables>, subject: string): Promise<void> {
  await sql`
    update login_failures set failures = greatest(failures - 1, 0), locked_until_at = null
    where subject = ${subject}`.execute(db);
}

function ago(at: Instant, ms: number) {
  return sql`to_timestamp(${instant(at - ms)} / 1000.0)`;
}
