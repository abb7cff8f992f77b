import { type Permission, permissions } from '@voltdeck/contract/permissions';
import { routes } from '@voltdeck/contract/routes';
import type { PhraseKey } from '@voltdeck/phrases/phrase';

type CodeOf<Key> = Key extends `menu.${infer Code}` ? Code : never;
/** A menu of the product: a code that the phrases have a name for. */
export type MenuCode = CodeOf<PhraseKey>;

export type ProductMenu = {
  code: string;
  parentCode: MenuCode | null;
  kind: 'menu' | 'button';
  nameKey: PhraseKey;
  frontendUrl: string | null;
  /** What of the API it opens, for administrators to read. */
  backendUrl: string;
  /** The console's name of the picture. */
  icon: string | null;
  permission: Permission | null;
  shown: boolean;
};

type Screen = {
  code: MenuCode;
  url: `/${string}`;
  icon: string;
  /** Reading what the screen shows; absent while nothing of it can be asked for. */
  permission?: Permission;
  /** Reached from another screen, not from the sidebar. */
  hidden?: true;
};
type Group = { code: MenuCode; icon: string; screens: readonly Screen[] };

/**
 * Specification section 2: its parent groups with every screen, in its order. Screens without a page are here as well:
 * the console drops what it cannot open. The details of orders and stations have no menu of their own: they belong to
 * their lists.
 */
const tree: readonly (Screen | Group)[] = [
  { code: 'home', url: '/home', icon: 'home', permission: 'overview.read' },
  {
    code: 'statistics',
    icon: 'chart',
    screens: [{ code: 'statisticsList', url: '/statisticsList', icon: 'chart' }],
  },
  { code: 'total', icon: 'total', screens: [{ code: 'totalList', url: '/totalList', icon: 'total' }] },
  {
    code: 'plot',
    icon: 'site',
    screens: [{ code: 'plotList', url: '/plotList', icon: 'site', permission: 'site.read' }],
  },
  {
    code: 'device',
    icon: 'device',
    screens: [
      { code: 'deviceList', url: '/deviceList', icon: 'station', permission: 'station.read' },
      { code: 'portList', url: '/portList', icon: 'connector', permission: 'connector.read' },
    ],
  },
  {
    code: 'deviceLog',
    icon: 'log',
    screens: [
      { code: 'deviceLogOther', url: '/deviceLogOther', icon: 'log', permission: 'log.read' },
      { code: 'deviceLogCharging', url: '/deviceLogCharging', icon: 'curve', permission: 'log.read' },
    ],
  },
  {
    code: 'chargeOrderList',
    icon: 'order',
    screens: [
      { code: 'orderListReal', url: '/orderListReal', icon: 'live', permission: 'order.read' },
      { code: 'orderListHistory', url: '/orderListHistory', icon: 'history', permission: 'order.read' },
      { code: 'orderListAbnormal', url: '/orderListAbnormal', icon: 'warning', permission: 'order.read' },
      { code: 'orderListRefund', url: '/orderListRefund', icon: 'refund', permission: 'order.read' },
    ],
  },
  { code: 'invoice', icon: 'invoice', screens: [{ code: 'invoiceList', url: '/invoiceList', icon: 'invoice' }] },
  {
    code: 'card',
    icon: 'card',
    screens: [
      { code: 'cardList', url: '/cardList', icon: 'card', permission: 'card.read' },
      { code: 'useRecods', url: '/useRecods', icon: 'history' },
    ],
  },
  {
    code: 'rulesmanage',
    icon: 'tariff',
    screens: [{ code: 'rulesList', url: '/rules/list', icon: 'tariff', permission: 'tariff.read' }],
  },
  {
    code: 'register',
    icon: 'customer',
    screens: [
      { code: 'registerUser', url: '/registerUser', icon: 'customer', permission: 'customer.read' },
      { code: 'chongzhiRecods', url: '/chongzhiRecods', icon: 'recharge', permission: 'recharge.read' },
      { code: 'refund', url: '/refund', icon: 'withdrawal' },
    ],
  },
  { code: 'rechargeParent', icon: 'recharge', screens: [{ code: 'recharge', url: '/recharge', icon: 'recharge' }] },
  {
    code: 'credit',
    icon: 'credit',
    screens: [
      { code: 'creditList', url: '/creditList', icon: 'credit' },
      { code: 'creditDetail', url: '/creditDetail', icon: 'history' },
    ],
  },
  {
    code: 'operator',
    icon: 'agent',
    screens: [
      { code: 'operatorList', url: '/operatorList', icon: 'agent', permission: 'agent.read' },
      { code: 'tixianRecods', url: '/tixianRecods', icon: 'withdrawal', hidden: true },
      { code: 'childrenAccount', url: '/childrenAccount', icon: 'agent', hidden: true },
    ],
  },
  {
    code: 'groupCharge',
    icon: 'group',
    screens: [
      { code: 'groupList', url: '/groupList', icon: 'group' },
      { code: 'userList', url: '/userList', icon: 'customer' },
      { code: 'groupOrderList', url: '/groupOrderList', icon: 'order' },
      { code: 'groupRechargeList', url: '/groupRechargeList', icon: 'recharge' },
    ],
  },
  {
    code: 'hlht',
    icon: 'partner',
    screens: [
      { code: 'supOperatorList', url: '/supOperatorList', icon: 'partner' },
      { code: 'platformList', url: '/platformList', icon: 'platform' },
      { code: 'stationList', url: '/stationList', icon: 'site' },
      { code: 'equipmentList', url: '/equipmentList', icon: 'station' },
      { code: 'connectorList', url: '/connectorList', icon: 'connector' },
      { code: 'hlhtOrderList', url: '/hlhtOrderList', icon: 'order' },
    ],
  },
  {
    code: 'systemUser',
    icon: 'system',
    screens: [
      { code: 'role', url: '/role', icon: 'position', permission: 'position.read' },
      { code: 'user', url: '/user', icon: 'user', permission: 'user.read' },
      { code: 'menu', url: '/menu', icon: 'menu', permission: 'menu.read' },
      { code: 'auditLog', url: '/auditLog', icon: 'audit', permission: 'audit.read' },
      { code: 'signInLog', url: '/signInLog', icon: 'sign-in', permission: 'sign_in.read' },
    ],
  },
  {
    code: 'feedback',
    icon: 'feedback',
    screens: [{ code: 'feedbackList', url: '/feedbackList', icon: 'feedback', permission: 'feedback.read' }],
  },
  {
    code: 'advert',
    icon: 'advert',
    screens: [{ code: 'advertList', url: '/advertList', icon: 'advert', permission: 'advert.read' }],
  },
  {
    code: 'promotion',
    icon: 'promotion',
    screens: [{ code: 'promotionList', url: '/promotionList', icon: 'promotion' }],
  },
  {
    code: 'finance',
    icon: 'finance',
    screens: [{ code: 'financeList', url: '/financeList', icon: 'finance', permission: 'ledger.read' }],
  },
  {
    code: 'file',
    icon: 'file',
    screens: [{ code: 'fileList', url: '/fileList', icon: 'file', permission: 'file.read' }],
  },
  {
    code: 'config',
    icon: 'config',
    screens: [{ code: 'configList', url: '/configList', icon: 'config', permission: 'config.read' }],
  },
  {
    code: 'news',
    icon: 'article',
    screens: [{ code: 'newsList', url: '/newsList', icon: 'article', permission: 'article.read' }],
  },
  {
    code: 'accountChildrenParent',
    icon: 'divider',
    screens: [{ code: 'accountChildren', url: '/accountChildren', icon: 'divider' }],
  },
  { code: 'taskList', url: '/taskList', icon: 'task', permission: 'task.read' },
];

const permissionNames = Object.keys(permissions) as Permission[];
/** As much as the form of a menu takes. */
const addressesLengthMax = 200;

/** Every menu and button of this version in the order of the tree: a screen's buttons follow it. */
export const productMenus: readonly ProductMenu[] = tree.flatMap((entry) =>
  'url' in entry
    ? withButtons(entry, null)
    : [groupMenu(entry), ...entry.screens.flatMap((screen) => withButtons(screen, entry.code))],
);

function groupMenu({ code, icon }: Group): ProductMenu {
  return {
    code,
    parentCode: null,
    kind: 'menu',
    nameKey: `menu.${code}`,
    frontendUrl: null,
    backendUrl: '',
    icon,
    permission: null,
    shown: true,
  };
}

/** Whatever is not reading is a button of the screen that the permission names; its code is the permission. */
function withButtons(screen: Screen, parentCode: MenuCode | null): ProductMenu[] {
  const permission = screen.permission ?? null;
  const buttons = permissionNames.filter((name) => permissions[name].menu === screen.url && !name.endsWith('.read'));
  return [
    {
      code: screen.code,
      parentCode,
      kind: 'menu',
      nameKey: `menu.${screen.code}`,
      frontendUrl: screen.url,
      backendUrl: permission === null ? '' : addressesOf(permission),
      icon: screen.icon,
      permission,
      shown: screen.hidden !== true,
    },
    ...buttons.map(
      (button): ProductMenu => ({
        code: button,
        parentCode: screen.code,
        kind: 'button',
        nameKey: `permission.${button}` as PhraseKey,
        frontendUrl: null,
        backendUrl: addressesOf(button),
        icon: null,
        permission: button,
        shown: true,
      }),
    ),
  ];
}

/** The addresses that a permission opens, as many as fit. */
function addressesOf(permission: Permission): string {
  const paths = [...routes.values()]
    .filter((route) => [route.permission].flat().includes(permission))
    .map(({ path }) => `/api${path}`);
  let text = '';
  for (const path of new Set(paths)) {
    const longer = text === '' ? path : `${text}, ${path}`;
    if (longer.length > addressesLengthMax) break;
    text = longer;
  }
  return text;
}

/** The codes that grant what the permissions say: the buttons, and every screen that a `.read` opens. */
export function codesGranting(granted: readonly Permission[]): string[] {
  const wanted = new Set<Permission | null>(granted);
  return productMenus.filter(({ permission }) => permission !== null && wanted.has(permission)).map(({ code }) => code);
}
