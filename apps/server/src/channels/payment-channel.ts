import type { ChannelBillKind, PaymentChannelName } from '@voltdeck/contract/payment-channels';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';

/** Why a channel said no, in its own words. */
export type Refusal = { code: string; text: string };

/**
 * What came of asking a channel. `unknown` is never a failure: the channel may have done what it was asked, and only
 * another question can tell.
 */
export type Asked<Answer> =
  | { outcome: 'answered'; answer: Answer }
  | { outcome: 'refused'; refusal: Refusal }
  | { outcome: 'unknown'; because: string };

export type PaymentOrder = {
  /** Ours: 6 to 32 letters and digits, the most that all channels take. */
  number: string;
  amountFen: Fen;
  /** What the payer reads. */
  title: string;
  expiresAt: Instant;
  notifyUrl: string;
  /** Our own page about it, where the code of the embedded channel leads. */
  pageUrl: string;
};

/** A payment as its channel knows it. */
export type PaymentFound =
  | { state: 'paid'; thirdPartyNumber: string; paidFen: Fen; paidAt: Instant; payer: string | null }
  /** Nobody has paid, and somebody still can. */
  | { state: 'paying' }
  | { state: 'closed' }
  /** The channel does not know the number: it was not asked for, or, at Alipay, nobody has opened its code. */
  | { state: 'absent' };

/** A payout that its payee has to confirm in the channel's app. Null where this answer does not repeat it. */
export type AwaitsPayee = {
  /** What the customer's app gives to the channel's. */
  packageInfo: string | null;
  /** The channel closes it unpaid after this. */
  until: Instant | null;
};

/** A refund or a payout as its channel knows it. */
export type ReturnFound =
  /** Not final. `heldUpBy` where it does not go on before a person acts at the channel. */
  | { state: 'processing'; thirdPartyNumber: string | null; heldUpBy?: Refusal; awaitsPayee?: AwaitsPayee }
  /** The amount is null where the channel does not say it. */
  | { state: 'done'; thirdPartyNumber: string | null; amountFen: Fen | null }
  | { state: 'failed'; refusal: Refusal }
  | { state: 'absent' };

export type RefundOrder = {
  number: string;
  paymentNumber: string;
  amountFen: Fen;
  /** The whole payment that it belongs to. */
  totalFen: Fen;
  reason: string;
  notifyUrl: string;
};

export type PayoutOrder = {
  number: string;
  /** An account of the channel: a WeChat openid, an Alipay login name or user number. */
  payee: string;
  /** The holder's name, which channels compare; WeChat asks for it from 2,000 yuan. */
  payeeName: string | null;
  amountFen: Fen;
  remark: string;
  notifyUrl: string;
};

/** Why a notification is not believed. */
export const notificationFaults = [
  'bad_signature',
  'unknown_serial',
  'stale',
  'other_merchant',
  'unreadable',
  /** The keys to verify it could not be fetched; the channel sends it again. */
  'no_keys',
] as const;
export type NotificationFault = (typeof notificationFaults)[number];

export type ChannelEvent = {
  /** What makes this very notification one of its kind; the same again is a replay. */
  nonce: string;
  /** For the record. It is masked before it is kept. */
  content: unknown;
  about:
    | { kind: 'payment'; number: string; found: PaymentFound }
    | { kind: 'refund' | 'payout'; number: string; found: ReturnFound }
    /** Something that we do not act on. */
    | { kind: 'other'; number: string | null; name: string };
};

export type NotificationHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type BillLine = {
  kind: ChannelBillKind;
  number: string | null;
  thirdPartyNumber: string | null;
  /** Money in is above zero, money out below. */
  amountFen: Fen;
  feeFen: Fen;
  at: Instant | null;
  raw: Readonly<Record<string, string>>;
};

/** Why a bill of a channel is not taken. */
export type BillFault = { fault: string };

/** How each channel wants to hear that its notification arrived, or did not. */
export type NotificationAnswer = { status: number; contentType: string; body: string };

/** How long a notification may have been under way, and how far clocks may differ. */
export const notificationAgeMaxMs = 300_000;

/**
 * A service by which money comes in and goes out. Every call has a bounded wait, is written into the log of calls, and
 * may be repeated with the same number: no channel pays twice for one.
 */
export type PaymentChannel = {
  name: PaymentChannelName;
  /** Asks for a code that the payer scans or opens. */
  createPayment(order: PaymentOrder): Promise<Asked<{ codeUrl: string }>>;
  queryPayment(number: string): Promise<Asked<PaymentFound>>;
  /** After it nobody can pay any more; `paid` where somebody has. */
  closePayment(number: string): Promise<Asked<'closed' | 'absent' | 'paid'>>;
  refund(order: RefundOrder): Promise<Asked<ReturnFound>>;
  queryRefund(number: string, paymentNumber: string): Promise<Asked<ReturnFound>>;
  payout(order: PayoutOrder): Promise<Asked<ReturnFound>>;
  queryPayout(number: string): Promise<Asked<ReturnFound>>;
  /** Verifies and reads what came in as a notification. */
  readNotification(
    headers: NotificationHeaders,
    rawBody: string,
    at: Instant,
  ): Promise<Result<ChannelEvent, NotificationFault>>;
  answerNotification(isTaken: boolean): NotificationAnswer;
  /** The channel's bill of a day such as "2026-11-21", some hours after its end; null before there is one. */
  downloadBill(day: string): Promise<Asked<BillLine[] | BillFault | null>>;
};

/** The channels that are on. */
export type PaymentChannels = ReadonlyMap<PaymentChannelName, PaymentChannel>;
