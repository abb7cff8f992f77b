import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PaymentChannel, PaymentFound, ReturnFound } from '../payment-channel.ts';
import { shanghaiIso } from '../shanghai-time.ts';
import { readWechatRefund, readWechatTransfer, wechatPayment, wechatPaymentFound } from './wechat-answers.ts';
import { readWechatBill } from './wechat-bill.ts';
import { createWechatClient, type WechatParts } from './wechat-client.ts';
import { wechatRules } from './wechat-keys.ts';
import { readWechatNotification } from './wechat-notification.ts';

/** WeChat Pay counts characters of what payer and payee read. */
const textLengths = { description: 127, reason: 80, remark: 32 } as const;

const notKnown = { state: 'absent' } as const;
/** How "there is no such number" is written in the different calls. */
const notKnownCodes = { ORDER_NOT_EXIST: notKnown, RESOURCE_NOT_EXISTS: notKnown, NOT_FOUND: notKnown } as const;

/** WeChat Pay by its API v3: Native payments, refunds, transfers to balances, notifications and trade bills. */
export function createWechatChannel(parts: WechatParts): PaymentChannel {
  const { settings } = parts;
  const { mchId: mchid, appId: appid } = settings;
  const { ask, verify, address } = createWechatClient(parts);
  const transaction = (number: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(number)}`;

  return {
    name: 'wechat',
    createPayment: ({ number, amountFen, title, expiresAt, notifyUrl }) =>
      ask({
        kind: 'create_payment',
        number,
        method: 'POST',
        path: '/v3/pay/transactions/native',
        body: {
          appid,
          mchid,
          description: title.slice(0, textLengths.description),
          out_trade_no: number,
          time_expire: shanghaiIso(expiresAt),
          notify_url: notifyUrl,
          amount: { total: amountFen, currency: 'CNY' },
        },
        read(answer) {
          const parsed = z.object({ code_url: z.string().min(1) }).safeParse(answer);
          return parsed.success ? { codeUrl: parsed.data.code_url } : null;
        },
      }),
    queryPayment: (number) =>
      ask<PaymentFound>({
        kind: 'query_payment',
        number,
        method: 'GET',
        path: `${transaction(number)}?mchid=${mchid}`,
        read(answer) {
          const parsed = wechatPayment.safeParse(answer);
          if (!parsed.success) return null;
          const { appid: app, mchid: merchant, out_trade_no } = parsed.data;
          return app === appid && merchant === mchid && out_trade_no === number
            ? wechatPaymentFound(parsed.data)
            : null;
        },
        refusals: notKnownCodes,
      }),
    closePayment: (number) =>
      ask<'closed' | 'absent' | 'paid'>({
        kind: 'close_payment',
        number,
        method: 'POST',
        path: `${transaction(number)}/close`,
        body: { mchid },
        read: () => 'closed',
        refusals: {
          ORDER_CLOSED: 'closed',
          ORDERPAID: 'paid',
          ORDER_PAID: 'paid',
          ORDER_NOT_EXIST: 'absent',
          RESOURCE_NOT_EXISTS: 'absent',
        },
      }),
    refund: ({ number, paymentNumber, amountFen, totalFen, reason, notifyUrl }) =>
      ask({
        kind: 'refund',
        number,
        method: 'POST',
        path: '/v3/refund/domestic/refunds',
        body: {
          out_trade_no: paymentNumber,
          out_refund_no: number,
          reason: reason.slice(0, textLengths.reason),
          notify_url: notifyUrl,
          amount: { refund: amountFen, total: totalFen, currency: 'CNY' },
        },
        read: (answer) => readWechatRefund(answer, number),
      }),
    queryRefund: (number) =>
      ask<ReturnFound>({
        kind: 'query_refund',
        number,
        method: 'GET',
        path: `/v3/refund/domestic/refunds/${encodeURIComponent(number)}`,
        read: (answer) => readWechatRefund(answer, number),
        refusals: notKnownCodes,
      }),
    async payout({ number, payee, payeeName, amountFen, remark, notifyUrl }) {
      const { transfer } = settings;
      if (transfer === null) {
        return { outcome: 'refused', refusal: { code: 'NO_TRANSFER_SCENE', text: 'WECHAT_TRANSFER_SCENE is not set' } };
      }
      // A name is only sent encrypted for WeChat Pay's public key, and needed from 2,000 yuan.
      const encryptedName =
        payeeName === null ? null : parts.keys.publicKey === null ? null : encryptFor(parts, payeeName);
      return ask({
        kind: 'payout',
        number,
        method: 'POST',
        path: '/v3/fund-app/mch-transfer/transfer-bills',
        body: {
          appid,
          out_bill_no: number,
          transfer_scene_id: transfer.sceneId,
          openid: payee,
          ...(encryptedName === null ? {} : { user_name: encryptedName }),
          transfer_amount: amountFen,
          transfer_remark: remark.slice(0, textLengths.remark),
          notify_url: notifyUrl,
          transfer_scene_report_infos: transfer.reports.map(({ type, content }) => ({
            info_type: type,
            info_content: content,
          })),
        },
        read: (answer) => readWechatTransfer(answer, number),
      });
    },
    queryPayout: (number) =>
      ask<ReturnFound>({
        kind: 'query_payout',
        number,
        method: 'GET',
        path: `/v3/fund-app/mch-transfer/transfer-bills/out-bill-no/${encodeURIComponent(number)}`,
        read: (answer) => readWechatTransfer(answer, number),
        refusals: notKnownCodes,
      }),
    readNotification: (headers, rawBody, at) => readWechatNotification({ settings, verify }, headers, rawBody, at),
    answerNotification: (isTaken) => ({
      status: isTaken ? 200 : 400,
      contentType: 'application/json',
      body: JSON.stringify(isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'not taken' }),
    }),
    async downloadBill(day) {
      const found = await ask<{ url: string; hash: string } | null>({
        kind: 'find_bill',
        number: null,
        method: 'GET',
        path: `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`,
        read(answer) {
          const parsed = billPlace.safeParse(answer);
          // The request for it is signed, so it goes to WeChat Pay and to nobody else.
          const isOurs = parsed.success && new URL(parsed.data.download_url).origin === new URL(address).origin;
          return isOurs ? { url: parsed.data.download_url, hash: parsed.data.hash_value } : null;
        },
        refusals: { NO_STATEMENT_EXIST: null, STATEMENT_CREATING: null },
      });
      if (found.outcome !== 'answered') return found;
      const place = found.answer;
      if (place === null) return { outcome: 'answered', answer: null };
      const got = await ask({
        kind: 'download_bill',
        number: null,
        method: 'GET',
        path: place.url,
        isUnsigned: true,
        read: (_answer, raw) =>
          createHash('sha1').update(raw).digest('hex') === place.hash.toLowerCase() ? raw : null,
      });
      if (got.outcome !== 'answered') return got;
      const bill = await readWechatBill(got.answer, mchid);
      return bill === null
        ? { outcome: 'unknown', because: 'the bill is unreadable' }
        : { outcome: 'answered', answer: bill };
    },
  };
}

const billPlace = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() });

function encryptFor({ keys }: WechatParts, name: string): string | null {
  return keys.publicKey === null ? null : wechatRules().Rsa.encrypt(name, keys.publicKey.key);
}
