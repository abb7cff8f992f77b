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
  'debt.read': { screen: 'debtList' },
  'debt.write_off': { screen: 'debtList' },
  'recharge.refund': { screen: 'chongzhiRecods' },
  'promotion.read': { screen: 'promotionList' },
  'promotion.edit': { screen: 'promotionList' },
  'coupon.read': { screen: 'couponList' },
  'coupon.edit': { screen: 'couponList' },
  'ledger.read': { screen: 'ledgerList' },
  'agent.read': { screen: 'operatorList' },
  'agent.recharge': { screen: 'operatorList' },
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

/** Whose records a position sees. `self` is for dividers and registered users: only their own. */
export const dataScopes = ['platform', 'agent_tree', 'agent', 'self'] as const;
export type DataScope = (typeof dataScopes)[number];

export const languages = ['zh-CN', 'en'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'zh-CN';
