import { randomInt } from 'node:crypto';
import { dayMs, type Instant, instant, minuteMs, parseShanghaiDate, shanghaiDateTime } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, formatYuan, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import type { CallKind, CallLog } from '../call-log.ts';
import type { Asked, BillLine, PaymentChannel, PaymentFound, ReturnFound } from '../payment-channel.ts';
import type { EmbeddedKeys } from './embedded-keys.ts';
import { readEmbedded } from './embedded-notification.ts';

export type EmbeddedParts = { db: Kysely<Tables>; keys: EmbeddedKeys; calls: CallLog; now(): Instant };

/** Payees whose payouts are refused, or take a minute: for trying out what real channels do. */
export const embeddedPayees = { refused: 'refused', late: 'late' } as const;
const latePayoutMs = minuteMs;
/** What the channel keeps of a payment, in thousandths, as real ones do. */
const feePerMille = 6;

/**
 * A payment channel inside the server, for trying the product out: its tables are the other side, its payer is whoever
 * opens the payment page, and its money is play money. It signs as real channels do.
 */
export function createEmbeddedChannel(parts: EmbeddedParts): PaymentChannel {
  const { db, keys, now } = parts;
  const logged = logging(parts);
  return {
    name: 'embedded',
    createPayment: (order) =>
      logged('create_payment', order.number, order, async () => {
        const { number, amountFen, title, expiresAt, pageUrl } = order;
        await db
          .insertInto('embedded_payments')
          .values({
            number,
            amount_fen: amountFen,
            title,
            third_party_number: thirdPartyNumber(now()),
            expires_at: expiresAt,
            created_at: now(),
          })
          .onConflict((conflict) => conflict.column('number').doNothing())
          .execute();
        const payment = await findPayment(db, number);
        if (payment?.state === 'paid') return refused('ORDERPAID', 'the payment is paid');
        return answered({ codeUrl: pageUrl });
      }),
    queryPayment: (number) =>
      logged('query_payment', number, { number }, async () => answered(foundOf(await findPayment(db, number)))),
    closePayment: (number) =>
      logged('close_payment', number, { number }, async () => {
        const closed = await db
          .updateTable('embedded_payments')
          .set({ state: 'closed' })
          .where('number', '=', number)
          .where('state', '<>', 'paid')
          .executeTakeFirst();
        if (closed.numUpdatedRows === 1n) return answered('closed' as const);
        return answered((await findPayment(db, number)) === undefined ? ('absent' as const) : ('paid' as const));
      }),
    refund: (order) => logged('refund', order.number, order, () => refundPayment(parts, order)),
    queryRefund: (number) => logged('query_refund', number, { number }, () => findReturn(parts, 'refund', number)),
    payout: (order) =>
      logged('payout', order.number, order, async () => {
        if (order.payee === embeddedPayees.refused) return refused('PAYEE_NOT_EXIST', 'nobody has this account');
        const doneAt = order.payee === embeddedPayees.late ? instant(now() + latePayoutMs) : now();
        await db
          .insertInto('embedded_returns')
          .values({
            number: order.number,
            kind: 'payout',
            amount_fen: order.amountFen,
            third_party_number: thirdPartyNumber(now()),
            created_at: now(),
            done_at: doneAt,
          })
          .onConflict((conflict) => conflict.column('number').doNothing())
          .execute();
        return findReturn(parts, 'payout', order.number);
      }),
    queryPayout: (number) => logged('query_payout', number, { number }, () => findReturn(parts, 'payout', number)),
    readNotification: async (headers, rawBody, at) => readEmbedded(keys, headers, rawBody, at),
    answerNotification: (isTaken) => ({
      status: isTaken ? 200 : 400,
      contentType: 'application/json',
      body: JSON.stringify({ code: isTaken ? 'SUCCESS' : 'FAIL' }),
    }),
    downloadBill: (day) => logged('download_bill', null, { day }, () => billOf(parts, day)),
  };
}

const answered = <Answer>(answer: Answer) => ({ outcome: 'answered' as const, answer });
const refused = (code: string, text: string) => ({ outcome: 'refused' as const, refusal: { code, text } });

/** 28 digits, as the transaction numbers of real channels have. */
function thirdPartyNumber(at: Instant): string {
  const digits = shanghaiDateTime(at).replaceAll(/\D/g, '');
  return `40${digits}${String(randomInt(10 ** 12)).padStart(12, '0')}`;
}

function findPayment(db: Kysely<Tables>, number: string) {
  return db
    .selectFrom('embedded_payments')
    .select(['state', 'amount_fen as amountFen', 'third_party_number as thirdPartyNumber', 'paid_at as paidAt'])
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Who pays here; there is one. */
export const embeddedPayer = 'embedded-payer-0001';

function foundOf(payment: Awaited<ReturnType<typeof findPayment>>): PaymentFound {
  if (payment === undefined) return { state: 'absent' };
  const { state, amountFen: paidFen, thirdPartyNumber: number, paidAt } = payment;
  if (state === 'paid' && paidAt !== null) {
    return { state: 'paid', thirdPartyNumber: number, paidFen, paidAt, payer: embeddedPayer };
  }
  return { state: state === 'closed' ? 'closed' : 'paying' };
}

async function refundPayment(
  { db, now }: EmbeddedParts,
  order: Parameters<PaymentChannel['refund']>[0],
): Promise<Asked<ReturnFound>> {
  return db.transaction().execute(async (trx) => {
    const payment = await trx
      .selectFrom('embedded_payments')
      .select(['state', 'amount_fen'])
      .where('number', '=', order.paymentNumber)
      .forUpdate()
      .executeTakeFirst();
    if (payment?.state !== 'paid') return refused('NOT_PAID', 'nobody paid it');
    const earlier = await trx
      .selectFrom('embedded_returns')
      .select(['number', 'amount_fen', 'third_party_number'])
      .where('payment_number', '=', order.paymentNumber)
      .execute();
    const known = earlier.find(({ number }) => number === order.number);
    if (known !== undefined) {
      return answered({
        state: 'done' as const,
        thirdPartyNumber: known.third_party_number,
        amountFen: known.amount_fen,
      });
    }
    if (addFen(order.amountFen, ...earlier.map(({ amount_fen }) => amount_fen)) > payment.amount_fen) {
      return refused('NOT_ENOUGH', 'more than was paid');
    }
    const ownNumber = thirdPartyNumber(now());
    await trx
      .insertInto('embedded_returns')
      .values({
        number: order.number,
        kind: 'refund',
        payment_number: order.paymentNumber,
        amount_fen: order.amountFen,
        third_party_number: ownNumber,
        created_at: now(),
        done_at: now(),
      })
      .execute();
    return answered({ state: 'done' as const, thirdPartyNumber: ownNumber, amountFen: order.amountFen });
  });
}

async function findReturn(
  { db, now }: EmbeddedParts,
  kind: 'refund' | 'payout',
  number: string,
): Promise<Asked<ReturnFound>> {
  const found = await db
    .selectFrom('embedded_returns')
    .select(['amount_fen as amountFen', 'third_party_number as thirdPartyNumber', 'done_at as doneAt'])
    .where('number', '=', number)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (found === undefined) return answered({ state: 'absent' as const });
  const { amountFen, thirdPartyNumber: ownNumber, doneAt } = found;
  return doneAt !== null && doneAt <= now()
    ? answered({ state: 'done' as const, thirdPartyNumber: ownNumber, amountFen })
    : answered({ state: 'processing' as const, thirdPartyNumber: ownNumber });
}

async function billOf({ db, now }: EmbeddedParts, day: string): Promise<Asked<BillLine[] | null>> {
  const from = parseShanghaiDate(day);
  if (from === null) return refused('INVALID_REQUEST', 'no day');
  const to = instant(from + dayMs);
  if (to > now()) return answered(null);
  const payments = await db
    .selectFrom('embedded_payments')
    .select(['number', 'third_party_number', 'amount_fen', 'paid_at'])
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .orderBy('paid_at')
    .execute();
  const returns = await db
    .selectFrom('embedded_returns')
    .select(['number', 'kind', 'third_party_number', 'amount_fen', 'done_at'])
    .where('done_at', '>=', from)
    .where('done_at', '<', to)
    .orderBy('done_at')
    .execute();
  const line = (
    kind: BillLine['kind'],
    row: { number: string; third_party_number: string },
    amountFen: Fen,
    feeFen: Fen,
    at: Instant | null,
  ): BillLine => ({
    kind,
    number: row.number,
    thirdPartyNumber: row.third_party_number,
    amountFen,
    feeFen,
    at,
    raw: { kind, number: row.number, amount: formatYuan(amountFen), fee: formatYuan(feeFen) },
  });
  return answered([
    ...payments.map((row) => line('payment', row, row.amount_fen, feeOf(row.amount_fen), row.paid_at)),
    ...returns.map((row) => line(row.kind, row, fen(0 - row.amount_fen), zeroFen, row.done_at)),
  ]);
}

function feeOf(amountFen: Fen): Fen {
  return fen(Math.floor((amountFen * feePerMille + 500) / 1_000));
}

/** Writes each call down as the calls of real channels are. */
function logging({ calls, now }: EmbeddedParts) {
  return async <Answer>(
    kind: CallKind,
    number: string | null,
    request: unknown,
    call: () => Promise<Asked<Answer>>,
  ): Promise<Asked<Answer>> => {
    const at = now();
    const beganAt = performance.now();
    const asked = await call();
    await calls('embedded', {
      at,
      kind,
      number,
      request,
      response: asked.outcome === 'answered' ? asked.answer : asked.outcome === 'refused' ? asked.refusal : null,
      status: null,
      outcome: asked.outcome,
      problem: asked.outcome === 'refused' ? asked.refusal.code : asked.outcome === 'unknown' ? asked.because : null,
      tookMs: performance.now() - beganAt,
    });
    return asked;
  };
}
