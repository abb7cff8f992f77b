import type { ChannelReturnState, PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, formatYuan } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';
import type { AfterCommit, ChannelRoom, PayoutId, RefundId } from './channel-room.ts';
import type { AwaitsPayee, ReturnFound } from './payment-channel.ts';

export type ReturnKind = 'refund' | 'payout';

export type ReturnTaken = {
  outcome: 'done' | 'failed' | 'repeated' | 'nothing_new' | 'unknown_number' | 'contradiction' | 'amount_differs';
  afterCommit: AfterCommit;
};

type Row = { id: number; channel: PaymentChannelName; state: ChannelReturnState; amountFen: Fen };

/**
 * Acts on what a channel says of a refund or a payout: under a lock of its row, once, and with what the slice does about
 * it. What contradicts an earlier outcome stays on the row and is left to a person, except for a payout that was made
 * after all and whose money is still set aside.
 */
export async function takeReturnFound(
  trx: Trx,
  { outcomes, log }: Pick<ChannelRoom, 'outcomes' | 'log'>,
  told: { kind: ReturnKind; channel: PaymentChannelName; number: string; found: ReturnFound },
  at: Instant,
): Promise<ReturnTaken> {
  const { kind, channel, number, found } = told;
  const tell = (outcome: ReturnTaken['outcome'], afterCommit: AfterCommit = () => {}): ReturnTaken => ({
    outcome,
    afterCommit() {
      const isForPerson = outcome === 'unknown_number' || outcome === 'contradiction' || outcome === 'amount_differs';
      if (isForPerson) log.error({ kind, channel, number, outcome, found }, 'a refund or payout needs a person');
      afterCommit();
    },
  });
  const row = await lockReturn(trx, kind, number);
  if (row === undefined || row.channel !== channel) return tell('unknown_number');
  if (found.state === 'absent') return tell('nothing_new');
  if (row.state !== 'processing') {
    if (found.state === 'processing') return tell('nothing_new');
    if (found.state === row.state) return tell('repeated');
    if (hasOtherAmount(row, found)) {
      await noteOtherAmount(trx, outcomes, kind, row, found.amountFen);
      return tell('amount_differs');
    }
    await noteContradiction(trx, tableOf[kind], row, found);
    if (kind === 'refund') return tell('contradiction');
    const after = await outcomes.paidOutOtherwise(trx, { id: row.id as PayoutId, number, state: found.state }, at);
    if (after === null) return tell('contradiction');
    await trx
      .updateTable('channel_payouts')
      .set({ state: found.state })
      .where('id', '=', row.id as PayoutId)
      .execute();
    return tell(found.state, after);
  }
  if (hasOtherAmount(row, found)) {
    await noteOtherAmount(trx, outcomes, kind, row, found.amountFen);
    return tell('amount_differs');
  }
  const table = sql.table(tableOf[kind]);
  if (found.state === 'processing') {
    await sql`
      update ${table}
         set third_party_number = coalesce(${found.thirdPartyNumber}, third_party_number),
             result_code = ${found.heldUpBy?.code ?? null}, result_text = ${found.heldUpBy?.text ?? null}
       where id = ${row.id}`.execute(trx);
    if (kind === 'payout') await noteAwaitsPayee(trx, row.id as PayoutId, found.awaitsPayee);
    return tell('nothing_new');
  }
  if (kind === 'payout') await noteAwaitsPayee(trx, row.id as PayoutId, undefined);
  const refusal = found.state === 'failed' ? found.refusal : null;
  const thirdPartyNumber = found.state === 'done' ? found.thirdPartyNumber : null;
  await sql`
    update ${table}
       set state = ${found.state}, third_party_number = coalesce(${thirdPartyNumber}, third_party_number),
           result_code = ${refusal?.code ?? null}, result_text = ${refusal?.text ?? null},
           next_try_at = null, ended_at = to_timestamp(${at} / 1000.0)
     where id = ${row.id}`.execute(trx);
  const ended = { number, refusal };
  const after =
    kind === 'refund'
      ? await outcomes.refunded(trx, { id: row.id as RefundId, ...ended }, at)
      : await outcomes.paidOut(trx, { id: row.id as PayoutId, ...ended }, at);
  return tell(found.state, after);
}

/** What the payee needs is kept while it is needed: a later answer of the channel does not repeat it. */
async function noteAwaitsPayee(trx: Trx, id: PayoutId, awaits: AwaitsPayee | undefined): Promise<void> {
  await trx
    .updateTable('channel_payouts')
    .set(
      awaits === undefined
        ? { awaits_payee: false, payee_package: null, confirmation_ends_at: null }
        : {
            awaits_payee: true,
            ...(awaits.packageInfo === null ? {} : { payee_package: awaits.packageInfo }),
            ...(awaits.until === null ? {} : { confirmation_ends_at: awaits.until }),
          },
    )
    .where('id', '=', id)
    .execute();
}

function hasOtherAmount(
  row: Row,
  found: ReturnFound,
): found is Extract<ReturnFound, { state: 'done' }> & { amountFen: Fen } {
  return found.state === 'done' && found.amountFen !== null && found.amountFen !== row.amountFen;
}

/** Once: the record stays as it is until a person has found out what the channel did. */
async function noteOtherAmount(
  trx: Trx,
  outcomes: ChannelRoom['outcomes'],
  kind: ReturnKind,
  row: Row,
  foundFen: Fen,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update ${sql.table(tableOf[kind])}
       set result_code = ${contradictionCodes.amountDiffers},
           result_text = trim(concat_ws(' ', result_code, result_text, ${formatYuan(foundFen)}::text))
     where id = ${row.id} and result_code is distinct from ${contradictionCodes.amountDiffers}`.execute(trx);
  if (numAffectedRows === 1n && kind === 'payout') await outcomes.payoutDiffers(trx, row.id as PayoutId);
}

/** Once: the first end and what it said of itself stay readable behind the code. */
async function noteContradiction(
  trx: Trx,
  table: (typeof tableOf)[ReturnKind],
  row: Row,
  found: Extract<ReturnFound, { state: 'done' | 'failed' }>,
): Promise<void> {
  const code = found.state === 'done' ? contradictionCodes.doneAfterFailed : contradictionCodes.failedAfterDone;
  const refusal = found.state === 'failed' ? `${found.refusal.code} ${found.refusal.text}` : '';
  const thirdPartyNumber = found.state === 'done' ? found.thirdPartyNumber : null;
  await sql`
    update ${sql.table(table)}
       set result_code = ${code}, result_text = trim(concat_ws(' ', result_code, result_text, ${refusal}::text)),
           third_party_number = coalesce(third_party_number, ${thirdPartyNumber})
     where id = ${row.id} and result_code is distinct from ${code}`.execute(trx);
}

export const contradictionCodes = {
  doneAfterFailed: 'DONE_AFTER_FAILED',
  failedAfterDone: 'FAILED_AFTER_DONE',
  amountDiffers: 'AMOUNT_DIFFERS',
} as const;

const tableOf = { refund: 'channel_refunds', payout: 'channel_payouts' } as const;

async function lockReturn(trx: Trx, kind: ReturnKind, number: string): Promise<Row | undefined> {
  const { rows } =
    kind === 'refund'
      ? await sql<Row>`
          select r.id, p.channel, r.state, r.amount_fen as "amountFen"
            from channel_refunds r join channel_payments p on p.id = r.payment_id
           where r.number = ${number} for update of r`.execute(trx)
      : await sql<Row>`
          select id, channel, state, amount_fen as "amountFen"
            from channel_payouts where number = ${number} for update`.execute(trx);
  return rows[0];
}
