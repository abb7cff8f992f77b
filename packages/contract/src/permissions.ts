/**
 * What a position may grant. `screen` is the code of the screen whose menu carries it (`screens.ts`); a `.read`
 * permission comes with the menu itself, every other one is a button of that menu.
 */
export const permissions = {
  'overview.read': { screen: 'home' },
  'site.read': { screen: 'plotList' },
  'site.edit': { screen: 'plotList' },
  'site.open': { screen: 'plotList' },
  'station.read': { screen: 'deviceList' },
  'station.create': { screen: 'deviceList' },
  'station.edit': { screen: 'deviceList' },
  'station.delete': { screen: 'deviceList' },
  'station.command': { screen: 'deviceList' },
  'station.command_raw': { screen: 'deviceList' },
  'connector.read': { screen: 'portList' },
  'connector.edit': { screen: 'portList' },
  'connector.test': { screen: 'portList' },
  'log.read': { screen: 'deviceLogOther' },
  'log.export': { screen: 'deviceLogOther' },
  // One permission covers an order's whole life, so an order watched live stays readable after it ends. A position's
  // menus say which lists its people get, its data scope says whose orders.
  'order.read': { screen: 'orderListHistory' },
  'order.start': { screen: 'portList' },
  'order.stop': { screen: 'orderListReal' },
  'order.settle': { screen: 'orderListReal' },
  'order.refund': { screen: 'orderListHistory' },
  'order.export': { screen: 'orderListHistory' },
  /** Who got what of an order; agents see themselves and those below them. */
  'order.shares': { screen: 'orderListHistory' },
  'order.correct_shares': { screen: 'orderListHistory' },
  'tariff.read': { screen: 'rulesList' },
  'tariff.edit': { screen: 'rulesList' },
  /** Sets the rule of every new station whose agent has no default of its own. */
  'tariff.platform_default': { screen: 'rulesList' },
  'tariff.rehearse': { screen: 'rulesList' },
  'price_change.read': { screen: 'priceChangeList' },
  'price_change.edit': { screen: 'priceChangeList' },
  'customer.read': { screen: 'registerUser' },
  'customer.edit': { screen: 'registerUser' },
  /** Shows phones and cards in full everywhere; they are masked without it. */
  'personal.reveal': { screen: 'registerUser' },
  'customer.block': { screen: 'registerUser' },
  'customer.merge': { screen: 'registerUser' },
  'transfer.create': { screen: 'registerUser' },
  'gift.create': { screen: 'registerUser' },
  'gift.deduct': { screen: 'registerUser' },
  'card.read': { screen: 'cardList' },
  'card.edit': { screen: 'cardList' },
  'card.block': { screen: 'cardList' },
  'card.replace': { screen: 'cardList' },
  'card.cancel': { screen: 'cardList' },
  'credit.read': { screen: 'creditList' },
  'credit.adjust': { screen: 'creditList' },
  'vehicle.read': { screen: 'vehicleList' },
  'vehicle.edit': { screen: 'vehicleList' },
  'recharge.read': { screen: 'chongzhiRecods' },
  'recharge.create': { screen: 'recharge' },
  /** Gives something beside the promotion that applies. */
  'recharge.gift': { screen: 'recharge' },
  'recharge.reverse': { screen: 'chongzhiRecods' },
  'withdrawal.read': { screen: 'refund' },
  'withdrawal.create': { screen: 'refund' },
  'withdrawal.review': { screen: 'refund' },
  'withdrawal.pay': { screen: 'refund' },
  'withdrawal.resolve': { screen: 'refund' },
  'settlement.read': { screen: 'settlementList' },
  /** Closes periods and pays them out. */
  'settlement.settle': { screen: 'settlementList' },
  'settlement.change': { screen: 'settlementList' },
  'invoice.read': { screen: 'invoiceList' },
  'invoice.create': { screen: 'invoiceList' },
  'invoice.review': { screen: 'invoiceList' },
  /** Voids invoices and takes them back by red letters. */
  'invoice.void': { screen: 'invoiceList' },
  'invoice.send': { screen: 'invoiceList' },
  'invoice.settings': { screen: 'invoiceList' },
  'debt.read': { screen: 'debtList' },
  'debt.write_off': { screen: 'debtList' },
  'recharge.refund': { screen: 'chongzhiRecods' },
  'promotion.read': { screen: 'promotionList' },
  'promotion.edit': { screen: 'promotionList' },
  'coupon.read': { screen: 'couponList' },
  'coupon.edit': { screen: 'couponList' },
  'report.read': { screen: 'reportList' },
  /** Makes reports, which run with the rights that their owner has. */
  'report.edit': { screen: 'reportList' },
  'statistics.read': { screen: 'statisticsList' },
  /** Sees whether the kept sums are sound and has them made again: for the platform's own people. */
  'statistics.rebuild': { screen: 'statisticsList' },
  'total.read': { screen: 'totalList' },
  'quality.read': { screen: 'startFunnel' },
  'finance.read': { screen: 'financeList' },
  /** What the platform owes and holds: for its own people. */
  'finance.holdings': { screen: 'financeList' },
  'finance.grid_bill': { screen: 'financeList' },
  'finance.grid_bill_lock': { screen: 'financeList' },
  'reconciliation.read': { screen: 'reconciliationList' },
  'reconciliation.run': { screen: 'reconciliationList' },
  /** Takes differences, asks channels about them and ends them with a reason. */
  'reconciliation.repair': { screen: 'reconciliationList' },
  'reconciliation.seal': { screen: 'reconciliationList' },
  'ledger.read': { screen: 'ledgerList' },
  'ledger.reverse': { screen: 'ledgerList' },
  'agent.read': { screen: 'operatorList' },
  /** Adds agents and changes them: their share, their payout account and their place in the tree too. */
  'agent.edit': { screen: 'operatorList' },
  'agent.delete': { screen: 'operatorList' },
  'agent.freeze': { screen: 'operatorList' },
  'agent.reset_password': { screen: 'operatorList' },
  'agent.hand_over': { screen: 'operatorList' },
  'agent.recharge': { screen: 'operatorList' },
  'divider.read': { screen: 'accountChildren' },
  /** Adds dividers, changes, enables and disables them, and gives them accounts. */
  'divider.edit': { screen: 'accountChildren' },
  /** Says who gets how much: adds and ends terms. */
  'divider.terms': { screen: 'accountChildren' },
  'divider.reset_password': { screen: 'accountChildren' },
  'divider.delete': { screen: 'accountChildren' },
  /** What dividers got: a divider sees its own, everybody else that of the dividers in their data scope. */
  'divider_income.read': { screen: 'dividerIncome' },
  'share_terms.read': { screen: 'shareTermsList' },
  'share_terms.edit': { screen: 'shareTermsList' },
  'agent_withdrawal.read': { screen: 'tixianRecods' },
  'agent_withdrawal.create': { screen: 'tixianRecods' },
  /** Sets where the own agent or divider is paid. */
  'agent_withdrawal.account': { screen: 'tixianRecods' },
  'agent_withdrawal.review': { screen: 'tixianRecods' },
  /** Shows the payout account of a withdrawal in full. */
  'agent_withdrawal.pay': { screen: 'tixianRecods' },
  'agent_withdrawal.return': { screen: 'tixianRecods' },
  'group.read': { screen: 'groupList' },
  'group.edit': { screen: 'groupList' },
  'group.block': { screen: 'groupList' },
  'group.delete': { screen: 'groupList' },
  /** Moves money between a group and its members. */
  'group.allocate': { screen: 'groupList' },
  'group_member.read': { screen: 'userList' },
  /** Names users, by hand or by a file, and sets their limits. */
  'group_member.edit': { screen: 'userList' },
  'group_member.review': { screen: 'userList' },
  'group_member.release': { screen: 'userList' },
  'partner.read': { screen: 'supOperatorList' },
  /** Adds, changes, enables, disables and deletes partners. */
  'partner.edit': { screen: 'supOperatorList' },
  /** Begins new keys. */
  'partner.keys': { screen: 'supOperatorList' },
  /** Says which sites a partner sees, and at what price. */
  'partner.sites': { screen: 'supOperatorList' },
  'partner.deposit': { screen: 'supOperatorList' },
  /** Enters what was paid to a partner for charges of our customers. */
  'partner.pay': { screen: 'supOperatorList' },
  /** Reads what was said with partners, decrypted. */
  'partner.exchanges': { screen: 'supOperatorList' },
  'partner_order.read': { screen: 'hlhtOrderList' },
  /** Stops charges at partners, and settles those that a person must look at. */
  'partner_order.settle': { screen: 'hlhtOrderList' },
  'partner_delivery.read': { screen: 'platformList' },
  /** Tells partners again, or gives up. */
  'partner_delivery.replay': { screen: 'platformList' },
  'partner_site.read': { screen: 'stationList' },
  /** Pulls the stations of partners at once. */
  'partner_site.pull': { screen: 'stationList' },
  'partner_station.read': { screen: 'equipmentList' },
  'partner_port.read': { screen: 'connectorList' },
  'position.read': { screen: 'role' },
  'position.edit': { screen: 'role' },
  'position.delete': { screen: 'role' },
  'user.read': { screen: 'user' },
  'user.edit': { screen: 'user' },
  'user.reset_password': { screen: 'user' },
  'user.sign_out': { screen: 'user' },
  'menu.read': { screen: 'menu' },
  'menu.edit': { screen: 'menu' },
  'audit.read': { screen: 'auditLog' },
  'audit.export': { screen: 'auditLog' },
  'sign_in.read': { screen: 'signInLog' },
  'session.end': { screen: 'signInLog' },
  'task.read': { screen: 'taskList' },
  'approval.read': { screen: 'approvalList' },
  /** Approves or refuses acts of others, of kinds that one may carry out oneself. */
  'approval.decide': { screen: 'approvalList' },
  'config.read': { screen: 'configList' },
  'config.edit': { screen: 'configList' },
  'feedback.read': { screen: 'feedbackList' },
  'feedback.create': { screen: 'feedbackList' },
  'feedback.handle': { screen: 'feedbackList' },
  'advert.read': { screen: 'advertList' },
  'advert.edit': { screen: 'advertList' },
  'article.read': { screen: 'newsList' },
  'article.edit': { screen: 'newsList' },
  'file.read': { screen: 'fileList' },
  'file.edit': { screen: 'fileList' },
} as const satisfies Record<string, { screen: string }>;

export type Permission = keyof typeof permissions;

/** `public` needs no session; `signed-in` any session of the console; `customer` a session of the customers' own API. */
export type RoutePermission = Permission | 'public' | 'signed-in' | 'customer' | readonly Permission[];

/**
 * Whose records a position sees, the widest first. `divider` is for dividers: only their own shares. `self` is for
 * registered users: only their own records.
 */
export const dataScopes = ['platform', 'agent_tree', 'agent', 'divider', 'self'] as const;
export type DataScope = (typeof dataScopes)[number];
