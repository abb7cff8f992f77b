import type { server as zh } from '../zh-CN/server.ts';

export const server: Record<keyof typeof zh, string> = {
  'position.platform': 'Platform operations',
  'position.agent': 'Agent',
  'position.divider': 'Divider',
  'position.registered': 'Registered user',
  'user.administrator': 'Administrator',
  'config.reconciliation_tolerance_wh': 'Energy tolerance of reconciliation (Wh)',
  'config.reconciliation_tolerance_wh.remark':
    'Billed energy and meter may differ by this much, in Wh, or by the tolerance in percent where that is more.',
  'config.reconciliation_tolerance_e4': 'Energy tolerance of reconciliation (0.01%)',
  'config.reconciliation_tolerance_e4.remark':
    'In hundredths of a percent of the billed energy: 100 is 1%. The larger of both tolerances holds.',
  'config.readings_kept_days': 'Days to keep the charging log',
  'config.readings_kept_days.remark':
    'How many days readings and BMS messages are kept, from 30 to 3650. Older ones are deleted; each order keeps a thinned curve.',
  'config.credit_points_per_yuan': 'Credit points per yuan',
  'config.credit_points_per_yuan.remark':
    'Points that each really paid yuan of an order gives: a whole number from 0 to 100, 0 turns them off. Refunds take their part back.',
  'config.debt_limit_fen': 'Debt limit (fen)',
  'config.debt_limit_fen.remark':
    'Whoever owes more than this for earlier charges cannot begin another. In fen: 1000 is ¥10.',
  'config.refund_days': 'Days to refund an order',
  'config.refund_days.remark': 'How many days after its end an order can still be refunded, from 1 to 3650',
  'config.recharge_day_limit_fen': 'Recharges per user and day (fen)',
  'config.recharge_day_limit_fen.remark':
    'The most that one system user may put on balances in a day of Shanghai, gifts by hand and of promotions and prepaid money of agents included. In fen: 20000000 is 200,000 yuan.',
  'config.sys_title': 'Product title',
  'config.sys_title.remark': 'The name on the sign-in page and browser tabs, from the next load on',
  'config.screen_url': 'Big-data screen address',
  'config.screen_url.remark':
    'A page of this system beginning with / or a web address; the sign-in token is passed to it, so enter trusted addresses only',
  'config.navigation_apps': 'Navigation services',
  'config.navigation_apps.remark':
    'Which services show the way to a site, in order and separated by commas: amap, baidu, tencent, apple; none for no links',
  'config.own_operator_id': 'Own organization code',
  'config.own_operator_id.remark':
    'Nine digits or capital letters: characters 9 to 17 of the unified social credit code. Interconnected operators know us by it; nothing is exchanged while it is empty.',
  'config.site_facilities': 'Facilities of sites',
  'config.site_facilities.remark':
    'Further facilities that sites can have, one per line: code=Chinese name|English name',
  'config.second_person_order_refund_fen': 'Refunds without a second person (fen)',
  'config.second_person_order_refund_fen.remark':
    'A refund above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_order_settlement_fen': 'Settlements by hand without a second person (fen)',
  'config.second_person_order_settlement_fen.remark':
    'A settlement above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_transfer_fen': 'Transfers without a second person (fen)',
  'config.second_person_transfer_fen.remark':
    'A transfer above this amount waits until somebody else approves it, and so does a merge of two registered users or a change of a card’s holder that hands over more than this. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.withdrawal_min_fen': 'Least withdrawal (fen)',
  'config.withdrawal_min_fen.remark': 'The least amount of one application, in fen; 100 (¥1.00) by default',
  'config.withdrawal_fee_bp': 'Withdrawal fee (basis points)',
  'config.withdrawal_fee_bp.remark': 'Hundredths of a percent of the amount, 0 to 10000; 0 by default',
  'config.withdrawals_per_day': 'Withdrawals per day',
  'config.withdrawals_per_day.remark': 'The most applications of one user in a day of Beijing time; 3 by default',
  'config.withdrawal_gifts': 'Gifts taken back by withdrawals',
  'config.withdrawal_gifts.remark': 'proportional: gifts go in the proportion of the money withdrawn; off: they stay',
  'config.agent_withdrawal_min_fen': 'Least withdrawal of agents (fen)',
  'config.agent_withdrawal_min_fen.remark':
    'The least amount of one application of an agent or a divider, in fen; 100 (¥1.00) by default',
  'config.agent_withdrawal_fee_bp': 'Withdrawal fee of agents (basis points)',
  'config.agent_withdrawal_fee_bp.remark':
    'Hundredths of a percent of what an agent or a divider withdraws, 0 to 10000; 0 by default',
  'config.agent_withdrawals_per_day': 'Withdrawals of agents per day',
  'config.agent_withdrawals_per_day.remark':
    'The most applications of one agent or divider in a day of Beijing time; 3 by default',
  'config.agent_withdrawal_account_wait_days': 'Days of approval after a payout account is set',
  'config.agent_withdrawal_account_wait_days.remark':
    'For so many days after the payout account of an agent or a divider is set or changed, every withdrawal to it needs the approval of a second person, whatever its amount. 0 to 365; 7 by default, 0 for none. Without effect while the limit for agents’ withdrawals is off.',
  'config.second_person_agent_withdrawal_fen': 'Withdrawals of agents without a second person (fen)',
  'config.second_person_agent_withdrawal_fen.remark':
    'Passing a withdrawal of an agent or a divider above this amount, or recording that its payment came back, waits until somebody else approves it. What anybody passes for one agent or divider in a day (Shanghai) counts together. In fen: 1000000 is 10000 yuan. 0: every one waits; off: none does.',
  'config.second_person_recharge_fen': 'Recharges without a second person (fen)',
  'config.second_person_recharge_fen.remark':
    'A recharge or a gift by hand above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_recharge_refund_fen': 'Refunded or reversed recharges without a second person (fen)',
  'config.second_person_recharge_refund_fen.remark':
    'A refund or reversal of a recharge, or a deduction of gifts, above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_withdrawal_fen': 'Withdrawals without a second person (fen)',
  'config.second_person_withdrawal_fen.remark':
    'Passing a withdrawal above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_write_off_fen': 'Debts written off without a second person (fen)',
  'config.second_person_write_off_fen.remark':
    'A write-off above this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_tariff_default_e5': 'Default billing rule without a second person (1e-5 yuan/kWh)',
  'config.second_person_tariff_default_e5.remark':
    'A default billing rule that changes a price by more than this waits until somebody else approves it. In 1e-5 yuan/kWh: 10000 is 0.1 yuan. 0: every change waits; off: none does.',
  'config.second_person_card_cancellation_fen': 'Card payouts without a second person (fen)',
  'config.second_person_card_cancellation_fen.remark':
    'A cancellation of a card that pays out more than this amount waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_agent_recharge_fen': 'Prepaid money of agents without a second person (fen)',
  'config.second_person_agent_recharge_fen.remark':
    'Prepaid money above this amount waits until somebody else approves it. What one user enters for one agent within 24 hours counts together. In fen: 1000000 is 10,000 yuan. 0: every one waits; off: none does.',
  'config.second_person_share_correction_fen': 'Corrections of shares without a second person (fen)',
  'config.second_person_share_correction_fen.remark':
    'A correction of an order’s shares that moves more than this amount between parties waits until somebody else approves it. What one user does to one record within 24 hours counts together. In fen: 50000 is 500 yuan. 0: every one waits; off: none does.',
  'config.second_person_reconciliation_fen': 'Differences that one person may end and seal alone (fen)',
  'config.second_person_reconciliation_fen.remark':
    'Whoever ended more than this amount of a day’s differences with payment channels does not seal the day; somebody else does. In fen: 50000 is 500 yuan. 0: nobody seals after ending one; off: everybody may.',
  'config.second_person_reversal_fen': 'Reversals in the ledger without a second person',
  'config.second_person_reversal_fen.remark':
    'Every reversal in the ledger waits until somebody else approves it, whatever amount is entered here; off: none does.',
  'export.latencyMs': 'Latency (ms)',
  'export.wireName': 'Name on the wire',
  'export.yuan': 'CNY',
  'apiDocs.title': 'Voltdeck API',
  'apiDocs.introduction':
    'Send the token from sign-in in the header token and zh-CN or en in language. Every answer is { message: { status, code, message }, data }: status 200 and code 0 on success; otherwise both repeat the HTTP status, error is the refusal’s code and fields names what to mend. Money is in fen, energy in Wh, prices in 0.00001 CNY per kWh, all whole numbers.',
  'console.notBuilt':
    'The console has not been built. npm start builds it; the API works and is described at /api/docs.',
  'pay.orderTitle': 'Charging balance',
  'pay.title': 'Recharge',
  'pay.unknown': 'This payment does not exist, or its address has changed',
  'pay.code': 'QR code',
  'pay.scan.wechat': 'Scan with WeChat to pay',
  'pay.scan.alipay': 'Scan with Alipay to pay',
  'pay.open.alipay': 'Open Alipay',
  'pay.number': 'Payment number',
  'pay.test': 'Test channel: no real money moves. You are the payer.',
  'pay.act.pay': 'Pay',
  'pay.act.refuse': 'Refuse',
  'pay.act.hang': 'Begin to pay and stop there',
  'pay.act.pay_late': 'Pay, notified a minute late',
  'pay.act.pay_twice': 'Pay, notified twice',
  'pay.act.pay_silently': 'Pay, never notified',
  'pay.state.paying': 'Waiting for payment',
  'pay.state.paid': 'Paid',
  'pay.state.closed': 'Closed: this code can no longer be paid',
  'pay.state.failed': 'Failed: this code cannot be paid',
  'channel-bills.day': 'Day of the bill',
  'channel-bills.channel': 'Channel',
  'channel-bills.kind': 'Kind',
  'channel-bills.number': 'Our number',
  'channel-bills.thirdPartyNumber': 'Channel’s number',
  'channel-bills.amount': 'Amount',
  'channel-bills.fee': 'Fee',
  'channel-bills.at': 'Time',
  'channel-bill-kind.payment': 'Payment',
  'channel-bill-kind.refund': 'Refund',
  'channel-bill-kind.payout': 'Payout',
  'channel-bill-kind.other': 'Other',
};
