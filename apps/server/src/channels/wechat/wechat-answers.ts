import { dayMs, instant, parseIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { z } from 'zod';
import type { PaymentFound, ReturnFound } from '../payment-channel.ts';

const amountOf = z.object({ total: z.int().min(1) });

/** GET /v3/pay/transactions/…, and what a notification of a payment holds. */
export const wechatPayment = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR']),
  success_time: z.string().optional(),
  payer: z.object({ openid: z.string().optional() }).optional(),
  amount: amountOf.optional(),
});

/** Null for a paid payment that lacks what a paid one has. */
export function wechatPaymentFound(payment: z.output<typeof wechatPayment>): PaymentFound | null {
  switch (payment.trade_state) {
    // What was refunded since was paid all the same.
    case 'SUCCESS':
    case 'REFUND': {
      const { transaction_id: thirdPartyNumber, amount, success_time, payer } = payment;
      const paidAt = parseIso(success_time ?? '');
      if (thirdPartyNumber === undefined || amount === undefined || paidAt === null) return null;
      return { state: 'paid', thirdPartyNumber, paidFen: fen(amount.total), paidAt, payer: payer?.openid ?? null };
    }
    case 'NOTPAY':
    case 'USERPAYING':
    case 'PAYERROR':
      return { state: 'paying' };
    case 'CLOSED':
    case 'REVOKED':
      return { state: 'closed' };
  }
}

const refundStatus = z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']);
const refund = z.object({
  refund_id: z.string(),
  out_refund_no: z.string(),
  status: refundStatus,
  amount: z.object({ refund: z.int().min(1) }),
});

/** A refund by its status, in answers and in notifications. */
export function wechatRefundFound(
  status: z.output<typeof refundStatus>,
  thirdPartyNumber: string,
  amountFen: number,
): ReturnFound {
  switch (status) {
    case 'SUCCESS':
      return { state: 'done', thirdPartyNumber, amountFen: fen(amountFen) };
    case 'PROCESSING':
      return { state: 'processing', thirdPartyNumber };
    // The payer's account took nothing. The operator finishes it in the merchant portal, under the same number.
    case 'ABNORMAL':
      return { state: 'processing', thirdPartyNumber, heldUpBy: { code: status, text: '' } };
    case 'CLOSED':
      return { state: 'failed', refusal: { code: status, text: '' } };
  }
}

/** WeChat Pay closes a transfer that its payee has not confirmed for so long since it was made. */
const confirmationMs = dayMs;
const packageInfoMax = 4_096;

export const wechatTransfer = z.object({
  out_bill_no: z.string(),
  transfer_bill_no: z.string(),
  state: z.string(),
  transfer_amount: z.int().optional(),
  fail_reason: z.string().optional(),
  create_time: z.string().optional(),
  package_info: z.string().min(1).max(packageInfoMax).optional(),
});

/** A transfer by its state; those that are not final stay open, whatever they are called. */
export function wechatTransferFound(transfer: z.output<typeof wechatTransfer>): ReturnFound {
  const {
    state,
    transfer_bill_no: thirdPartyNumber,
    transfer_amount,
    fail_reason,
    create_time,
    package_info,
  } = transfer;
  if (state === 'SUCCESS') {
    return { state: 'done', thirdPartyNumber, amountFen: transfer_amount === undefined ? null : fen(transfer_amount) };
  }
  if (state === 'FAIL' || state === 'CANCELLED') {
    return { state: 'failed', refusal: { code: fail_reason ?? state, text: '' } };
  }
  if (state === 'WAIT_USER_CONFIRM') {
    const madeAt = parseIso(create_time ?? '');
    const until = madeAt === null ? null : instant(madeAt + confirmationMs);
    return { state: 'processing', thirdPartyNumber, awaitsPayee: { packageInfo: package_info ?? null, until } };
  }
  return { state: 'processing', thirdPartyNumber };
}

export function readWechatRefund(answer: unknown, number: string): ReturnFound | null {
  const parsed = refund.safeParse(answer);
  if (!parsed.success || parsed.data.out_refund_no !== number) return null;
  const { status, refund_id, amount } = parsed.data;
  return wechatRefundFound(status, refund_id, amount.refund);
}

export function readWechatTransfer(answer: unknown, number: string): ReturnFound | null {
  const parsed = wechatTransfer.safeParse(answer);
  return parsed.success && parsed.data.out_bill_no === number ? wechatTransferFound(parsed.data) : null;
}
