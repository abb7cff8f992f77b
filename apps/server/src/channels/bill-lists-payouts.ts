import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';

/** Whether a channel's daily bill lists payouts too; the trade bills of WeChat Pay and Alipay list what payers paid. */
export const billListsPayouts = {
  wechat: false,
  alipay: false,
  embedded: true,
} as const satisfies Record<PaymentChannelName, boolean>;
