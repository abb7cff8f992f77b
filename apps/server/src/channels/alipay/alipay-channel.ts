import { shanghaiDateTime } from '@voltdeck/units/instant';
import { type Fen, formatYuan } from '@voltdeck/units/money';
import { z } from 'zod';
import { exactYuan } from '../exact-yuan.ts';
import type { PaymentChannel, PaymentFound, ReturnFound } from '../payment-channel.ts';
import { parseShanghaiTime } from '../shanghai-time.ts';
import { readAlipayBill } from './alipay-bill.ts';
import { type AlipayParts, createAlipayGateway } from './alipay-gateway.ts';
import { readAlipayNotification } from './alipay-notification.ts';

const textLengths = { subject: 256, reason: 256, title: 128, remark: 200 } as const;

const trade = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: z.string(),
  send_pay_date: z.string().optional(),
  buyer_user_id: z.string().optional(),
  buyer_open_id: z.string().optional(),
});

/** Null where an amount or a time is not one. */
function paymentOf(found: z.output<typeof trade>): PaymentFound | null {
  const paidAt = found.send_pay_date === undefined ? null : parseShanghaiTime(found.send_pay_date);
  const isPaid = found.trade_status === 'TRADE_SUCCESS' || found.trade_status === 'TRADE_FINISHED';
  // A trade that was refunded in full is closed, but has the time at which it was paid.
  if (isPaid || (found.trade_status === 'TRADE_CLOSED' && paidAt !== null)) {
    const paidFen = exactYuan(found.total_amount);
    if (paidFen === null || paidAt === null) return null;
    const payer = found.buyer_user_id ?? found.buyer_open_id ?? null;
    return { state: 'paid', thirdPartyNumber: found.trade_no, paidFen, paidAt, payer };
  }
  return { state: found.trade_status === 'TRADE_CLOSED' ? 'closed' : 'paying' };
}

const refund = z.object({ trade_no: z.string(), out_trade_no: z.string(), fund_change: z.enum(['Y', 'N']).optional() });
const refundFound = z.object({
  trade_no: z.string().optional(),
  out_request_no: z.string().optional(),
  refund_status: z.string().optional(),
  refund_amount: z.string().optional(),
});
const transfer = z.object({
  out_biz_no: z.string().optional(),
  order_id: z.string().optional(),
  status: z.string(),
  trans_amount: z.string().optional(),
  error_code: z.string().optional(),
  fail_reason: z.string().optional(),
});

function transferFound(found: z.output<typeof transfer>): ReturnFound | null {
  const thirdPartyNumber = found.order_id ?? null;
  switch (found.status) {
    case 'SUCCESS': {
      const amountFen: Fen | null = found.trans_amount === undefined ? null : exactYuan(found.trans_amount);
      if (found.trans_amount !== undefined && amountFen === null) return null;
      return { state: 'done', thirdPartyNumber, amountFen };
    }
    case 'FAIL':
    case 'CLOSED':
    case 'REFUND':
      return { state: 'failed', refusal: { code: found.error_code ?? found.status, text: found.fail_reason ?? '' } };
    default:
      return { state: 'processing', thirdPartyNumber };
  }
}

const absent = { state: 'absent' } as const;
const product = { product_code: 'TRANS_ACCOUNT_NO_PWD', biz_scene: 'DIRECT_TRANSFER' } as const;

/** Alipay: codes to scan (precreate), refunds, transfers to accounts, notifications (RSA2) and trade bills. */
export function createAlipayChannel(parts: AlipayParts): PaymentChannel {
  const { ask, download, address } = createAlipayGateway(parts);
  return {
    name: 'alipay',
    createPayment: ({ number, amountFen, title, expiresAt, notifyUrl }) =>
      ask({
        kind: 'create_payment',
        number,
        method: 'alipay.trade.precreate',
        content: {
          out_trade_no: number,
          total_amount: formatYuan(amountFen),
          subject: title.slice(0, textLengths.subject),
          time_expire: shanghaiDateTime(expiresAt),
        },
        notifyUrl,
        read(answer) {
          const parsed = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1) }).safeParse(answer);
          return parsed.success && parsed.data.out_trade_no === number ? { codeUrl: parsed.data.qr_code } : null;
        },
      }),
    queryPayment: (number) =>
      ask<PaymentFound>({
        kind: 'query_payment',
        number,
        method: 'alipay.trade.query',
        content: { out_trade_no: number },
        read(answer) {
          const parsed = trade.safeParse(answer);
          return parsed.success && parsed.data.out_trade_no === number ? paymentOf(parsed.data) : null;
        },
        refusals: { 'ACQ.TRADE_NOT_EXIST': absent },
      }),
    closePayment: (number) =>
      ask<'closed' | 'absent' | 'paid'>({
        kind: 'close_payment',
        number,
        method: 'alipay.trade.close',
        content: { out_trade_no: number },
        read: () => 'closed',
        refusals: {
          'ACQ.TRADE_NOT_EXIST': 'absent',
          'ACQ.TRADE_STATUS_ERROR': 'paid',
          'ACQ.REASON_TRADE_STATUS_INVALID': 'paid',
          'ACQ.REASON_ILLEGAL_STATUS': 'paid',
        },
      }),
    refund: ({ number, paymentNumber, amountFen, reason }) =>
      ask<ReturnFound>({
        kind: 'refund',
        number,
        method: 'alipay.trade.refund',
        content: {
          out_trade_no: paymentNumber,
          out_request_no: number,
          refund_amount: formatYuan(amountFen),
          refund_reason: reason.slice(0, textLengths.reason),
        },
        read(answer) {
          const parsed = refund.safeParse(answer);
          if (!parsed.success || parsed.data.out_trade_no !== paymentNumber) return null;
          // Without moved money it was done before, or is still to be done; asking tells.
          const { trade_no: thirdPartyNumber, fund_change } = parsed.data;
          return fund_change === 'Y'
            ? { state: 'done', thirdPartyNumber, amountFen: null }
            : { state: 'processing', thirdPartyNumber };
        },
      }),
    queryRefund: (number, paymentNumber) =>
      ask<ReturnFound>({
        kind: 'query_refund',
        number,
        method: 'alipay.trade.fastpay.refund.query',
        content: { out_trade_no: paymentNumber, out_request_no: number },
        read(answer) {
          const parsed = refundFound.safeParse(answer);
          if (!parsed.success) return null;
          const { refund_status, refund_amount, trade_no, out_request_no } = parsed.data;
          // What it does not know, Alipay answers with nothing.
          if (refund_status !== 'REFUND_SUCCESS') return absent;
          const amountFen = exactYuan(refund_amount ?? '');
          if (amountFen === null || out_request_no !== number) return null;
          return { state: 'done', thirdPartyNumber: trade_no ?? null, amountFen };
        },
        refusals: { 'ACQ.TRADE_NOT_EXIST': absent },
      }),
    payout: ({ number, payee, payeeName, amountFen, remark }) =>
      ask<ReturnFound>({
        kind: 'payout',
        number,
        method: 'alipay.fund.trans.uni.transfer',
        content: {
          out_biz_no: number,
          trans_amount: formatYuan(amountFen),
          ...product,
          order_title: remark.slice(0, textLengths.title),
          payee_info: {
            identity: payee,
            identity_type: /^2088\d{12}$/.test(payee) ? 'ALIPAY_USER_ID' : 'ALIPAY_LOGON_ID',
            ...(payeeName === null ? {} : { name: payeeName }),
          },
          remark: remark.slice(0, textLengths.remark),
        },
        read: (answer) => readTransfer(answer),
      }),
    queryPayout: (number) =>
      ask<ReturnFound>({
        kind: 'query_payout',
        number,
        method: 'alipay.fund.trans.common.query',
        content: { out_biz_no: number, ...product },
        read: (answer) => readTransfer(answer),
        refusals: { ORDER_NOT_EXIST: absent },
      }),
    readNotification: async (_headers, rawBody, at) => readAlipayNotification(parts, rawBody, at),
    answerNotification: (isTaken) => ({
      status: 200,
      contentType: 'text/plain',
      body: isTaken ? 'success' : 'failure',
    }),
    async downloadBill(day) {
      const found = await ask<string | null>({
        kind: 'find_bill',
        number: null,
        method: 'alipay.data.dataservice.bill.downloadurl.query',
        content: { bill_type: 'trade', bill_date: day },
        read(answer) {
          const parsed = z.object({ bill_download_url: z.url() }).safeParse(answer);
          return parsed.success && isAlipays(parsed.data.bill_download_url, address)
            ? parsed.data.bill_download_url
            : null;
        },
        refusals: { 'isp.bill_not_exist': null },
      });
      if (found.outcome !== 'answered') return found;
      return found.answer === null
        ? { outcome: 'answered', answer: null }
        : download(found.answer, (zip) => readAlipayBill(zip, parts.settings.sellerId));
    },
  };
}

function readTransfer(answer: unknown): ReturnFound | null {
  const parsed = transfer.safeParse(answer);
  return parsed.success ? transferFound(parsed.data) : null;
}

/** Whether a file lies at Alipay, or beside the gateway that the settings name. */
function isAlipays(text: string, address: string): boolean {
  const url = new URL(text);
  if (url.origin === new URL(address).origin) return true;
  return url.protocol.startsWith('http') && (url.hostname === 'alipay.com' || url.hostname.endsWith('.alipay.com'));
}
