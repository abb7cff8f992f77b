import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { transact } from '../database/transact.ts';
import type { ChannelRoom, PaymentId, PayoutId, RefundId } from './channel-room.ts';
import { nextLookAt } from './growing-intervals.ts';
import type { Asked, PaymentFound, ReturnFound } from './payment-channel.ts';
import { takePaymentFound } from './take-payment-found.ts';
import { type ReturnKind, takeReturnFound } from './take-return-found.ts';

/** What one run asks about, of each kind, and how many questions are under way at a time. */
const perKindMax = 100;
const askedAtOnceMax = 4;
/** No question begins later in a run, so that a slow channel does not hold it past the next one. */
const runBudgetMs = 50 * secondMs;
/** Clocks differ, and a payer may be in the middle of it: a code is closed this long after its time. */
const closingGraceMs = minuteMs;
/** After this long, a request that was given up has arrived or never will. */
const lateArrivalMs = 10 * minuteMs;

/**
 * Asks about everything whose outcome is open and due, at growing intervals, until it is known. It is noted when to ask
 * next before anybody is asked, so that a run that dies costs a delay and nothing else. Payments, refunds and payouts
 * take turns, and each is claimed only when its turn comes.
 * @returns how many were asked about.
 */
export async function findOut(room: ChannelRoom): Promise<number> {
  const startedAt = room.now();
  const kinds = [
    { claims: claims.payments, ask: (id: number) => findOutPayment(room, id as PaymentId) },
    {
      claims: claims.refunds,
      ask: (id: number, askedAt: Instant | null) => carryOutRefund(room, id as RefundId, askedAt),
    },
    {
      claims: claims.payouts,
      ask: (id: number, askedAt: Instant | null) => carryOutPayout(room, id as PayoutId, askedAt),
    },
  ].map((kind) => ({ ...kind, left: perKindMax }));
  const run = { turn: 0, asked: 0 };
  const askOn = async () => {
    while (room.now() - startedAt < runBudgetMs) {
      const open = kinds.filter(({ left }) => left > 0);
      const kind = open[run.turn % open.length];
      if (kind === undefined) return;
      run.turn += 1;
      kind.left -= 1;
      const claimed = await claim(room, kind.claims, startedAt);
      if (claimed === null) {
        kind.left = 0;
        continue;
      }
      run.asked += 1;
      try {
        await kind.ask(claimed.id, claimed.askedAt);
      } catch (error) {
        // One that cannot be asked about must not keep the others waiting.
        room.log.error({ error, table: kind.claims.table, id: claimed.id }, 'asking a payment channel failed');
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: askedAtOnceMax }, askOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return run.asked;
}

type Claimed = {
  id: number;
  /** When the channel was first asked, as it stood when the record was claimed; null where nobody asked. */
  askedAt: Instant | null;
};

/** The record that has been due longest at `dueAt`. */
async function claim(
  { db, now }: Pick<ChannelRoom, 'db' | 'now'>,
  { table, column, openSince, askedAt, counter }: (typeof claims)[keyof typeof claims],
  dueAt: Instant,
): Promise<Claimed | null> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<Claimed & { openSince: Instant }>`
      select id, ${sql.ref(openSince)} as "openSince", ${askedAt === null ? sql`null` : sql.ref(askedAt)} as "askedAt"
        from ${sql.table(table)}
       where ${sql.ref(column)} <= to_timestamp(${dueAt} / 1000.0)
       order by ${sql.ref(column)} limit 1 for update skip locked`.execute(trx);
    const [row] = rows;
    if (row === undefined) return null;
    await sql`
      update ${sql.table(table)}
         set ${sql.ref(column)} = to_timestamp(${nextLookAt({ since: row.openSince, at: now() })} / 1000.0),
             ${sql.ref(counter)} = ${sql.ref(counter)} + 1
       where id = ${row.id}`.execute(trx);
    return row;
  });
}

/** A payment's intervals grow when its code has run out: before that, somebody stands there and waits. */
const claims = {
  payments: {
    table: 'channel_payments',
    column: 'next_look_at',
    openSince: 'expires_at',
    askedAt: null,
    counter: 'looks',
  },
  refunds: {
    table: 'channel_refunds',
    column: 'next_try_at',
    openSince: 'created_at',
    askedAt: 'asked_at',
    counter: 'attempts',
  },
  payouts: {
    table: 'channel_payouts',
    column: 'next_try_at',
    openSince: 'begun_at',
    askedAt: 'asked_at',
    counter: 'attempts',
  },
} as const;

/** Asks about one payment, and closes it where its time is over. */
export async function findOutPayment(room: ChannelRoom, id: PaymentId): Promise<void> {
  const payment = await room.db
    .selectFrom('channel_payments')
    .select(['number', 'channel', 'state', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { number, channel: name } = payment;
  const channel = room.channels.get(name);
  if (channel === undefined) {
    room.log.warn({ channel: name, number }, 'a payment is open at a channel that is off');
    return;
  }
  const isOver = () => room.now() > instant(payment.expiresAt + closingGraceMs);
  const take = async (found: PaymentFound) => {
    const at = room.now();
    const taken = await transact(room.db, async (trx) =>
      ok(await takePaymentFound(trx, room, { channel: name, number, found }, at)),
    );
    if (taken.ok) taken.value.afterCommit();
  };
  // Nobody was ever asked for it, so nobody can pay it.
  if (payment.state === 'created') {
    if (isOver()) await take({ state: 'closed' });
    return;
  }
  const asked = await channel.queryPayment(number);
  if (asked.outcome !== 'answered') return;
  const found = asked.answer;
  if (found.state === 'paid' || found.state === 'closed') return take(found);
  if (!isOver()) return;
  const closed = await channel.closePayment(number);
  if (closed.outcome !== 'answered') return;
  if (closed.answer !== 'paid') return take({ state: 'closed' });
  // Paid between the two questions.
  const again = await channel.queryPayment(number);
  if (again.outcome === 'answered') await take(again.answer);
}

/**
 * Asks for a refund that nobody has asked for, or about one that was asked for at `askedAt` and is claimed: whoever holds
 * neither would ask a second time while the first request is still on its way.
 */
export async function carryOutRefund(room: ChannelRoom, id: RefundId, askedAt: Instant | null = null): Promise<void> {
  const refund = await room.db
    .selectFrom('channel_refunds as r')
    .innerJoin('channel_payments as p', 'p.id', 'r.payment_id')
    .select(['r.number', 'r.amount_fen as amountFen', 'r.reason', 'r.state'])
    .select(['p.channel', 'p.number as paymentNumber', 'p.paid_fen as totalFen', 'p.notify_url as notifyUrl'])
    .where('r.id', '=', id)
    .executeTakeFirst();
  if (refund === undefined || refund.state !== 'processing') return;
  const channel = room.channels.get(refund.channel);
  if (channel === undefined) {
    room.log.warn({ channel: refund.channel, number: refund.number }, 'a refund is open at a channel that is off');
    return;
  }
  const { number, paymentNumber, amountFen, totalFen, reason, notifyUrl } = refund;
  if (totalFen === null) throw new Error(`refund ${number} belongs to a payment that nobody made`);
  await carryOut(
    room,
    { kind: 'refund', id, number, channel: refund.channel, askedAt },
    {
      ask: () => channel.refund({ number, paymentNumber, amountFen, totalFen, reason, notifyUrl }),
      query: () => channel.queryRefund(number, paymentNumber),
    },
  );
}

/** Asks for a payout, or about one, as `carryOutRefund` does. */
export async function carryOutPayout(room: ChannelRoom, id: PayoutId, askedAt: Instant | null = null): Promise<void> {
  const payout = await room.db
    .selectFrom('channel_payouts')
    .select(['number', 'channel', 'payee', 'payee_name as payeeName', 'amount_fen as amountFen', 'remark', 'state'])
    .select('notify_url as notifyUrl')
    .where('id', '=', id)
    .executeTakeFirst();
  if (payout === undefined || payout.state !== 'processing') return;
  const channel = room.channels.get(payout.channel);
  if (channel === undefined) {
    room.log.warn({ channel: payout.channel, number: payout.number }, 'a payout is open at a channel that is off');
    return;
  }
  const { number, payee, payeeName, amountFen, remark, notifyUrl } = payout;
  await carryOut(
    room,
    { kind: 'payout', id, number, channel: payout.channel, askedAt },
    {
      ask: () => channel.payout({ number, payee, payeeName, amountFen, remark, notifyUrl }),
      query: () => channel.queryPayout(number),
    },
  );
}

type Return = {
  kind: ReturnKind;
  id: RefundId | PayoutId;
  number: string;
  channel: PaymentChannelName;
  askedAt: Instant | null;
};

/**
 * What was asked for before is asked about first, and asked for again, under the same number, only where the channel
 * does not know it: so nothing is sent twice.
 */
async function carryOut(
  room: ChannelRoom,
  { kind, id, number, channel, askedAt }: Return,
  { ask, query }: { ask(): Promise<Asked<ReturnFound>>; query(): Promise<Asked<ReturnFound>> },
): Promise<void> {
  const take = async (found: ReturnFound) => {
    const at = room.now();
    const taken = await transact(room.db, async (trx) =>
      ok(await takeReturnFound(trx, room, { kind, channel, number, found }, at)),
    );
    if (taken.ok) taken.value.afterCommit();
  };
  if (askedAt === null) {
    // Whoever notes the first attempt makes it; somebody else's is found out about later.
    if (!(await noteAsked(room, kind, id))) return;
  } else {
    const known = await query();
    if (known.outcome !== 'answered') return;
    if (known.answer.state !== 'absent') return take(known.answer);
  }
  const asked = await ask();
  switch (asked.outcome) {
    case 'answered':
      return take(asked.answer);
    case 'refused':
      // Shortly after an earlier attempt, which may still be under way, a refusal may mean "done already".
      if (askedAt !== null && room.now() - askedAt < lateArrivalMs) return;
      return take({ state: 'failed', refusal: asked.refusal });
    case 'unknown':
      return;
  }
}

/** False where it has been asked for before. */
async function noteAsked(room: ChannelRoom, kind: ReturnKind, id: RefundId | PayoutId): Promise<boolean> {
  const at = room.now();
  const { numAffectedRows } = await sql`
    update ${sql.table(kind === 'refund' ? 'channel_refunds' : 'channel_payouts')}
       set asked_at = to_timestamp(${at} / 1000.0),
           next_try_at = to_timestamp(${nextLookAt({ since: at, at })} / 1000.0)
     where id = ${id} and state = 'processing' and asked_at is null`.execute(room.db);
  return numAffectedRows === 1n;
}
