import type { rechargeCodes as zh } from '../zh-CN/recharge-codes.ts';

export const rechargeCodes: Record<keyof typeof zh, string> = {
  'recharge-codes.formTitle': 'Payment code for {target}',
  'recharge-codes.intro':
    'Somebody pays by phone, and the money is on the balance as soon as the channel says so. Debts are repaid first.',
  'recharge-codes.amount': 'Amount',
  'recharge-codes.channel': 'Channel',
  'recharge-codes.submit': 'Make a code of {amount}',
  'recharge-codes.submitEmpty': 'Make a code',
  'recharge-codes.title': '{amount} for {target}',
  'recharge-codes.code': 'QR code of the payment',
  'recharge-codes.scan.wechat': 'Scan with WeChat',
  'recharge-codes.scan.alipay': 'Scan with Alipay',
  'recharge-codes.scan.embedded': 'Scan with any phone: no real money moves',
  'recharge-codes.left': 'Can be paid for {time}',
  'recharge-codes.expired': 'Its time is over; it is being closed',
  'recharge-codes.page': 'Page of the payment',
  'recharge-codes.copyPage': 'Copy address',
  'recharge-codes.copied': 'Copied',
  'recharge-codes.toRecharge': 'Recharge {number}',
  'recharge-codes.again': 'Another code',
  'recharge-codes.close': 'Close',
  'recharge-codes.attention.amount_differs':
    'Another amount was paid than asked for. It is on no balance: look into it.',
  'recharge-codes.attention.paid_after_closing':
    'It was paid after the code was closed. The money is on no balance: look into it.',
  'recharge-codes.attention.payer_gone':
    'The card was cancelled before the money came. It is on no balance: look into it.',
  'recharge-code-state.created': 'Being made',
  'recharge-code-state.paying': 'Waiting for payment',
  'recharge-code-state.paid': 'Paid',
  'recharge-code-state.closed': 'Closed',
  'recharge-code-state.failed': 'Refused',
  'recharge-code-state.unknown': 'Asking the channel',
  'payment-channel.wechat': 'WeChat Pay',
  'payment-channel.alipay': 'Alipay',
  'payment-channel.embedded': 'Test channel',
};
