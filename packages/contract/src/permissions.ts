/**
 * What a position may grant. `menu` is the frontendUrl of the screen whose menu entry carries it; a `.read` permission
 * comes with the menu itself, every other one is a button of that menu.
 */
export const permissions = {
  'overview.read': { menu: '/home' },
  'site.read': { menu: '/plotList' },
  'site.edit': { menu: '/plotList' },
  'station.read': { menu: '/deviceList' },
  'station.create': { menu: '/deviceList' },
  'station.edit': { menu: '/deviceList' },
  'station.delete': { menu: '/deviceList' },
  'station.command': { menu: '/deviceList' },
  'station.command_raw': { menu: '/deviceList' },
  'connector.read': { menu: '/portList' },
  'connector.edit': { menu: '/portList' },
  'log.read': { menu: '/deviceLogOther' },
  'log.export': { menu: '/deviceLogOther' },
  'order.read': { menu: '/orderListHistory' },
  'order.start': { menu: '/portList' },
  'order.stop': { menu: '/orderListReal' },
  'order.settle': { menu: '/orderListReal' },
  'order.refund': { menu: '/orderListHistory' },
  'order.export': { menu: '/orderListHistory' },
  'tariff.read': { menu: '/rules/list' },
  'tariff.edit': { menu: '/rules/list' },
  'customer.read': { menu: '/registerUser' },
  'customer.edit': { menu: '/registerUser' },
  'card.read': { menu: '/cardList' },
  'card.edit': { menu: '/cardList' },
  'card.block': { menu: '/cardList' },
  'recharge.read': { menu: '/chongzhiRecods' },
  'recharge.create': { menu: '/recharge' },
  'recharge.reverse': { menu: '/chongzhiRecods' },
  'ledger.read': { menu: '/financeList' },
  'agent.read': { menu: '/operatorList' },
  'agent.recharge': { menu: '/operatorList' },
  'position.read': { menu: '/role' },
  'position.edit': { menu: '/role' },
  'position.delete': { menu: '/role' },
  'user.read': { menu: '/user' },
  'user.edit': { menu: '/user' },
  'user.reset_password': { menu: '/user' },
  'user.sign_out': { menu: '/user' },
  'menu.read': { menu: '/menu' },
  'menu.edit': { menu: '/menu' },
  'audit.read': { menu: '/auditLog' },
  'audit.export': { menu: '/auditLog' },
  'sign_in.read': { menu: '/signInLog' },
  'session.end': { menu: '/signInLog' },
  'task.read': { menu: '/taskList' },
  'config.read': { menu: '/configList' },
  'config.edit': { menu: '/configList' },
  'feedback.read': { menu: '/feedbackList' },
  'feedback.create': { menu: '/feedbackList' },
  'feedback.handle': { menu: '/feedbackList' },
  'advert.read': { menu: '/advertList' },
  'advert.edit': { menu: '/advertList' },
  'article.read': { menu: '/newsList' },
  'article.edit': { menu: '/newsList' },
  'file.read': { menu: '/fileList' },
  'file.edit': { menu: '/fileList' },
} as const satisfies Record<string, { menu: string }>;

export type Permission = keyof typeof permissions;

/** `public` needs no session; `signed-in` any session. */
export type RoutePermission = Permission | 'public' | 'signed-in' | readonly Permission[];

/** Whose records a position sees. `self` is for dividers and registered persons: what is theirs alone. */
export const dataScopes = ['platform', 'agent_tree', 'agent', 'self'] as const;
export type DataScope = (typeof dataScopes)[number];

export const languages = ['zh-CN', 'en'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'zh-CN';
