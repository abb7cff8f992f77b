/** The services by which money comes in without a person at a desk; `embedded` is the server's own, for trying out. */
export const paymentChannels = ['wechat', 'alipay', 'embedded'] as const;
export type PaymentChannelName = (typeof paymentChannels)[number];
export const isPaymentChannel = (channel: string): channel is PaymentChannelName =>
  (paymentChannels as readonly string[]).includes(channel);

/**
 * The life of a payment at a channel. `created`: written down and not yet asked for; `paying`: its code can be paid;
 * `unknown`: asked for without an answer; `failed`: the channel refused to make it; `closed`: nobody can pay it any more.
 */
export const channelPaymentStates = ['created', 'paying', 'paid', 'closed', 'failed', 'unknown'] as const;
export type ChannelPaymentState = (typeof channelPaymentStates)[number];

/** Money that a channel sends back or pays out. */
export const channelReturnStates = ['processing', 'done', 'failed'] as const;
export type ChannelReturnState = (typeof channelReturnStates)[number];

/** Why paid money was not put on a wallet: a person has to decide. */
export const paymentAttentions = ['amount_differs', 'paid_after_closing', 'payer_gone'] as const;
export type PaymentAttention = (typeof paymentAttentions)[number];

/** What a line of a channel's bill is about. */
export const channelBillKinds = ['payment', 'refund', 'payout', 'other'] as const;
export type ChannelBillKind = (typeof channelBillKinds)[number];

/** What the payer of the embedded channel may do; the last four are for trying out what real channels do at times. */
export const embeddedPayerActs = ['pay', 'refuse', 'hang', 'pay_late', 'pay_twice', 'pay_silently'] as const;
export type EmbeddedPayerAct = (typeof embeddedPayerActs)[number];
