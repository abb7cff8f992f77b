import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { z } from 'zod';
import type { AlipaySettings } from '../channel-settings.ts';
import { exactYuan } from '../exact-yuan.ts';
import {
  type ChannelEvent,
  type NotificationFault,
  notificationAgeMaxMs,
  type PaymentFound,
} from '../payment-channel.ts';
import { parseShanghaiTime } from '../shanghai-time.ts';
import type { AlipayClient } from './alipay-client.ts';

const notification = z.looseObject({
  notify_id: z.string().min(1).max(128),
  notify_time: z.string(),
  notify_type: z.string(),
  app_id: z.string(),
  seller_id: z.string().optional(),
});

const trade = z.object({
  out_trade_no: z.string().min(1),
  trade_no: z.string().min(1),
  trade_status: z.string(),
  total_amount: z.string(),
  gmt_payment: z.string().optional(),
  buyer_id: z.string().optional(),
  buyer_open_id: z.string().optional(),
  /** What these two describe is a refund: it is sent with the state of the trade that it belongs to. */
  gmt_refund: z.string().optional(),
  out_biz_no: z.string().optional(),
});

/** Verifies and reads a notification of Alipay: a form, signed by RSA2 over its sorted fields. */
export function readAlipayNotification(
  { settings, client }: { settings: AlipaySettings; client: AlipayClient },
  rawBody: string,
  at: Instant,
): Result<ChannelEvent, NotificationFault> {
  const params = new URLSearchParams(rawBody);
  const fields = Object.fromEntries(params);
  // A field given twice could be read in one way here and in another where it was signed.
  if (params.size !== Object.keys(fields).length) return failed('unreadable');
  const parsed = notification.safeParse(fields);
  if (!parsed.success) return failed('unreadable');
  if (!client.isNotificationSigned(fields)) return failed('bad_signature');
  const { notify_id, notify_time, notify_type, app_id, seller_id } = parsed.data;
  if (app_id !== settings.appId) return failed('other_merchant');
  if (settings.sellerId !== null && seller_id !== settings.sellerId) return failed('other_merchant');
  const sentAt = parseShanghaiTime(notify_time);
  if (sentAt === null) return failed('unreadable');
  if (Math.abs(at - sentAt) > notificationAgeMaxMs) return failed('stale');
  if (notify_type !== 'trade_status_sync') {
    return ok({ nonce: notify_id, content: fields, about: { kind: 'other', number: null, name: notify_type } });
  }
  const about = aboutOf(fields);
  return about === null ? failed('unreadable') : ok({ nonce: notify_id, content: fields, about });
}

function aboutOf(fields: Readonly<Record<string, string>>): ChannelEvent['about'] | null {
  const parsed = trade.safeParse(fields);
  if (!parsed.success) return null;
  const { out_trade_no: number, trade_no: thirdPartyNumber, gmt_refund, out_biz_no } = parsed.data;
  if (gmt_refund !== undefined) {
    if (out_biz_no === undefined) return { kind: 'other', number, name: 'refund' };
    // The amount that it names is the sum of all refunds of the trade.
    return { kind: 'refund', number: out_biz_no, found: { state: 'done', thirdPartyNumber, amountFen: null } };
  }
  const found = foundOf(parsed.data);
  return found === null ? null : { kind: 'payment', number, found };
}

function foundOf(told: z.output<typeof trade>): PaymentFound | null {
  switch (told.trade_status) {
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED': {
      const paidFen = exactYuan(told.total_amount);
      const paidAt = parseShanghaiTime(told.gmt_payment ?? '');
      if (paidFen === null || paidAt === null) return null;
      const payer = told.buyer_id ?? told.buyer_open_id ?? null;
      return { state: 'paid', thirdPartyNumber: told.trade_no, paidFen, paidAt, payer };
    }
    case 'WAIT_BUYER_PAY':
      return { state: 'paying' };
    case 'TRADE_CLOSED':
      return { state: 'closed' };
    default:
      return null;
  }
}
