import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { z } from 'zod';
import type { WechatSettings } from '../channel-settings.ts';
import type { ChannelEvent, NotificationFault, NotificationHeaders } from '../payment-channel.ts';
import {
  wechatPayment,
  wechatPaymentFound,
  wechatRefundFound,
  wechatTransfer,
  wechatTransferFound,
} from './wechat-answers.ts';
import { decryptResource, encryptedResource } from './wechat-certificates.ts';
import type { WechatClient } from './wechat-client.ts';

const envelope = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: encryptedResource.extend({ algorithm: z.literal('AEAD_AES_256_GCM') }),
});

const refundNotification = z.object({
  mchid: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']),
  amount: z.object({ refund: z.int().min(1) }),
});

const transferNotification = wechatTransfer.extend({ mch_id: z.string() });

/** Verifies, decrypts and reads a notification of WeChat Pay's API v3. */
export async function readWechatNotification(
  { settings, verify }: { settings: WechatSettings; verify: WechatClient['verify'] },
  headers: NotificationHeaders,
  rawBody: string,
  at: Instant,
): Promise<Result<ChannelEvent, NotificationFault>> {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const fault = await verify(header, rawBody, at);
  if (fault !== null) return failed(fault);
  const parsed = envelope.safeParse(jsonOf(rawBody));
  if (!parsed.success) return failed('unreadable');
  const { event_type, resource } = parsed.data;
  const text = decryptResource(resource, settings.apiV3Key);
  // Signed by WeChat Pay and encrypted with another key than ours.
  if (text === null) return failed('other_merchant');
  const content = jsonOf(text);
  const about = aboutOf(settings, event_type, content);
  // The signed nonce: a copy has the same one, what WeChat Pay sends again has another.
  return about.ok ? ok({ nonce: header('wechatpay-nonce') ?? '', content, about: about.value }) : about;
}

function aboutOf(
  { mchId, appId }: WechatSettings,
  type: string,
  content: unknown,
): Result<ChannelEvent['about'], NotificationFault> {
  if (type.startsWith('TRANSACTION.')) {
    const payment = wechatPayment.safeParse(content);
    if (!payment.success) return failed('unreadable');
    if (payment.data.mchid !== mchId || payment.data.appid !== appId) return failed('other_merchant');
    const found = wechatPaymentFound(payment.data);
    if (found === null) return failed('unreadable');
    return ok({ kind: 'payment', number: payment.data.out_trade_no, found });
  }
  if (type.startsWith('REFUND.')) {
    const refund = refundNotification.safeParse(content);
    if (!refund.success) return failed('unreadable');
    if (refund.data.mchid !== mchId) return failed('other_merchant');
    const { out_refund_no: number, refund_status, refund_id, amount } = refund.data;
    return ok({ kind: 'refund', number, found: wechatRefundFound(refund_status, refund_id, amount.refund) });
  }
  if (type.startsWith('MCHTRANSFER.')) {
    const transfer = transferNotification.safeParse(content);
    if (!transfer.success) return failed('unreadable');
    if (transfer.data.mch_id !== mchId) return failed('other_merchant');
    return ok({ kind: 'payout', number: transfer.data.out_bill_no, found: wechatTransferFound(transfer.data) });
  }
  return ok({ kind: 'other', number: null, name: type });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
