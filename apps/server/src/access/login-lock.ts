import type { UserId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { networkOf } from '../limits/remote-networks.ts';

/** Failures in a row before a user name is locked for one network: for 30 s, then twice as long each time, up to 15 minutes. */
export const failuresPerUserMax = 5;
/** The same for a network, whatever the names; higher, since a whole office may share one. */
export const failuresPerNetworkMax = 20;
/**
 * Failures before a captcha is required: of a name in one network, of one network, and of a name over all networks. The
 * last one never locks, or strangers could lock out the owner of a name.
 */
export const failuresBeforeCaptcha = { user: 3, network: 10, userAnywhere: 10 } as const;
/**
 * Time since the last failure after which a network needs no captcha, so that a person who cannot see the picture can
 * wait instead. One attempt every five minutes is no faster than the lock allows anyway.
 */
export const captchaAskedMs = 5 * minuteMs;
const firstLockMs = 30 * secondMs;
const lockMsMax = 15 * minuteMs;
/** Failures further apart than this are counted separately. */
const forgottenAfterMs = 60 * minuteMs;

export type LoginAttempt = { name: string; remoteAddress: string };

/**
 * What an attempt must pass before its password is checked. A captcha `for-strangers` is not required from a network
 * that has signed in to the account before.
 */
export type LoginState = { secondsLocked: number; captcha: 'none' | 'for-strangers' | 'for-all' };

type Subject = { subject: string; failuresMax: number | null };

const subjectsOf = ({ name, remoteAddress }: LoginAttempt) => {
  const network = networkOf(remoteAddress);
  const user = name.toLowerCase();
  return {
    // A network contains no space, so no name can be mistaken for another one plus a network.
    user: { subject: `user:${network} ${user}`, failuresMax: failuresPerUserMax },
    network: { subject: `network:${network}`, failuresMax: failuresPerNetworkMax },
    userAnywhere: { subject: `anywhere:${user}`, failuresMax: null },
  } satisfies Record<keyof typeof failuresBeforeCaptcha, Subject>;
};

/** The state of a name and a network, whether the name exists or not. */
export async function loginState(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<LoginState> {
  const subjects = subjectsOf(attempt);
  const rows = await db
    .selectFrom('login_failures')
    .select(['subject', 'failures', 'last_failed_at', 'locked_until_at'])
    .where('subject', 'in', allOf(subjects))
    .execute();
  const until = Math.max(0, ...rows.map((row) => row.locked_until_at ?? 0));
  const isAsked = (kind: keyof typeof subjects, askedMs: number) =>
    rows.some(
      ({ subject, failures, last_failed_at }) =>
        subject === subjects[kind].subject && failures >= failuresBeforeCaptcha[kind] && at - last_failed_at < askedMs,
    );
  const forAll = isAsked('user', captchaAskedMs) || isAsked('network', captchaAskedMs);
  return {
    secondsLocked: Math.max(0, Math.ceil((until - at) / secondMs)),
    captcha: forAll ? 'for-all' : isAsked('userAnywhere', forgottenAfterMs) ? 'for-strangers' : 'none',
  };
}

/** Whether an account has signed in from a network before, as far back as sign-ins are recorded. */
export async function isKnownNetwork(
  db: Kysely<Tables>,
  userId: UserId | null,
  remoteAddress: string,
): Promise<boolean> {
  const { rows } = await sql<{ remote_address: string }>`
    select distinct remote_address from (
      select remote_address from sign_ins
      where user_id = ${userId ?? 0} and result = 'signed_in'
      order by at desc limit ${signInsLookedAtMax}) as latest`.execute(db);
  const network = networkOf(remoteAddress);
  return rows.some((row) => networkOf(row.remote_address) === network);
}

/** A person's latest sign-ins are enough to know their usual networks. */
const signInsLookedAtMax = 100;

/**
 * Counts an attempt as failed before its password is checked, so that simultaneous attempts cannot slip past the count;
 * a success undoes it.
 * @returns the whole seconds to wait when the name or the network is now locked, otherwise 0.
 */
export async function beginAttempt(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<number> {
  const { user, network, userAnywhere } = subjectsOf(attempt);
  for (const { subject, failuresMax } of [network, user, userAnywhere]) {
    const isForgotten = sql`f.last_failed_at < ${ago(at, forgottenAfterMs)}`;
    const failures = sql`case when ${isForgotten} then 1 else f.failures + 1 end`;
    const { rows } = await sql<{ failures: number }>`
      insert into login_failures as f (subject, failures, last_failed_at, locked_until_at)
      values (${subject}, 1, ${ago(at, 0)}, null)
      on conflict (subject) do update set
        failures = ${failures},
        last_failed_at = case when ${isForgotten} then ${ago(at, 0)} else f.last_failed_at end,
        locked_until_at = case when ${failuresMax}::integer is null or ${failures} < ${failuresMax}::integer then null
          else ${ago(at, 0)} + least(${lockMsMax}::integer,
                                     ${firstLockMs}::integer * 2 ^ least(f.failures + 1 - ${failuresMax}::integer, 10))
                               * interval '1 millisecond' end
      where f.locked_until_at is null or f.locked_until_at <= ${ago(at, 0)}
      returning failures`.execute(db);
    if (rows.length > 0) continue;
    if (subject === user.subject) await takeBack(db, network.subject);
    const { secondsLocked } = await loginState(db, attempt, at);
    return Math.max(1, secondsLocked);
  }
  return 0;
}

/** The password was wrong: the count of `beginAttempt` stands, with the present time. */
export async function confirmFailure(db: Kysely<Tables>, attempt: LoginAttempt, at: Instant): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ last_failed_at: at })
    .where('subject', 'in', allOf(subjectsOf(attempt)))
    .execute();
}

/**
 * A right password clears the name in this network. For the network, and for the name elsewhere, only this attempt is
 * undone: one known password must not free an attacker, nor the owner's sign-in the guessers of it.
 */
export async function forgiveAttempt(db: Kysely<Tables>, attempt: LoginAttempt): Promise<void> {
  const { user, network, userAnywhere } = subjectsOf(attempt);
  await takeBack(db, network.subject);
  await takeBack(db, userAnywhere.subject);
  await db.deleteFrom('login_failures').where('subject', '=', user.subject).execute();
}

/** No lock existed when the attempt began, so the present one is its own. */
async function takeBack(db: Kysely<Tables>, subject: string): Promise<void> {
  await sql`
    update login_failures set failures = greatest(failures - 1, 0), locked_until_at = null
    where subject = ${subject}`.execute(db);
}

function allOf(subjects: Readonly<Record<string, Subject>>): string[] {
  return Object.values(subjects).map(({ subject }) => subject);
}

function ago(at: Instant, ms: number) {
  return sql`to_timestamp(${instant(at - ms)} / 1000.0)`;
}
