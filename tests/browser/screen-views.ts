import { searchOf } from '@voltdeck/console/api/address';
import {
  type MenuScreenCode,
  type ScreenCode,
  type ScreenQuery,
  screenCodes,
  screenOf,
} from '@voltdeck/contract/screens';
import type { Language } from '@voltdeck/journeys/api';
import { pulledSite } from '@voltdeck/server/interop/test-pulled';
import type {
  AgentId,
  CustomerId,
  DividerId,
  OrderId,
  PartnerId,
  PriceChangeId,
  SettlementPeriodId,
  SiteId,
  StationId,
  TariffId,
  TaskId,
} from '@voltdeck/units/id';
import type { ChargingNetwork } from './charging-network.ts';
import { newcomer } from './newcomer.ts';
import { walkedMoney } from './walked-money.ts';

/** Created before a walk over all screens, so that no list is empty. */
export const walked = {
  complaint: '充电枪线缆过长，拖在地上容易绊倒行人',
  article: '充电须知',
  position: '客服',
  plate: '浙AD12345',
  agent: '岭南充电运营',
  divider: '深圳湾物业',
  partner: '沪上出行平台',
} as const;

/** One view of a screen. */
type View<Code extends ScreenCode> = {
  /** The test's name; defaults to the screen's code. */
  name?: string;
  query?: (at: ChargingNetwork) => ScreenQuery<Code>;
  /** A text that shows when the page is loaded; defaults to its heading. */
  shows?: (at: ChargingNetwork) => string;
  /** The button that opens the form for a new record. */
  adds?: Readonly<Record<Language, string>>;
};

/** How to view each screen: the query of its address, and the text to wait for. */
const views: { readonly [Code in ScreenCode]: readonly View<Code>[] } = {
  home: [
    { shows: () => 'Shenzhen Bay Innovation' },
    { name: 'a site on the map', query: (at) => ({ site: at.siteId }), shows: () => '浙江省杭州市拱墅区环城北路' },
    { name: 'the wall of ports', query: () => ({ view: 'tree' }), shows: () => 'Bay station one' },
  ],
  statisticsList: [
    { query: () => ({ period: 'last_7_days' }) },
    { name: 'statistics of a day without charges', query: () => ({ from: '2020-01-01', to: '2020-01-01' }) },
  ],
  totalList: [
    {},
    { name: 'totals by site', query: () => ({ by: 'site' }) },
    { name: 'totals by station', query: () => ({ by: 'station' }) },
    { name: 'totals by day', query: () => ({ by: 'day' }) },
  ],
  plotList: [{ shows: () => 'Shenzhen Bay Innovation', adds: { 'zh-CN': '添加站点', en: 'Add site' } }],
  plotDetail: [{ query: (at) => ({ id: at.siteId as SiteId }), shows: () => '浙江省杭州市拱墅区环城北路' }],
  deviceList: [{ shows: (at) => at.offline.number, adds: { 'zh-CN': '添加充电桩', en: 'Add station' } }],
  deviceDetail: [
    {
      name: 'deviceDetail of a station that charges',
      query: (at) => ({ id: at.charging.id as StationId }),
      shows: (at) => `SN-${at.charging.number}`,
    },
    {
      name: 'deviceDetail of a station that is offline',
      query: (at) => ({ id: at.offline.id as StationId }),
      shows: (at) => at.offline.number,
    },
    {
      name: 'the interaction log of a station',
      query: (at) => ({ id: at.charging.id as StationId, tab: 'log' }),
      shows: () => 'MeterValues',
    },
    {
      name: 'the conversation with a station',
      query: (at) => ({ id: at.charging.id as StationId, tab: 'log', log: 'timeline' }),
      shows: () => 'MeterValues',
    },
  ],
  portList: [
    { shows: (at) => at.offline.number },
    {
      name: 'portList as a wall',
      query: () => ({ view: 'wall', pageSize: 200 }),
      shows: () => 'Bay station one',
    },
  ],
  deviceLogOther: [{ shows: () => 'MeterValues' }],
  deviceLogCharging: [
    {
      query: (at) => ({ orderNumber: at.orders.abnormal.number }),
      shows: (at) => at.orders.abnormal.number,
    },
    {
      name: 'BMS messages of the charging log',
      query: () => ({ view: 'bms' }),
    },
  ],
  chargeComparison: [
    {
      name: 'two charges side by side',
      query: (at) => ({ id: at.orders.completed.id as OrderId, other: at.orders.refunded.id as OrderId }),
      shows: (at) => at.orders.refunded.number,
    },
  ],
  orderStory: [
    {
      name: 'the story of an order',
      query: (at) => ({ id: at.orders.refunded.id as OrderId }),
      shows: (at) => at.orders.refunded.number,
    },
  ],
  stationStory: [
    {
      name: 'the story of a station',
      query: (at) => ({ id: at.charging.id as StationId }),
      shows: (at) => at.orders.running.number,
    },
  ],
  customerStory: [
    {
      name: 'the story of a registered user',
      query: () => ({ id: 1 as CustomerId }),
    },
  ],
  vehicleList: [{ shows: () => walked.plate, adds: { 'zh-CN': '添加车辆', en: 'Add vehicle' } }],
  orderListReal: [{ shows: (at) => at.orders.running.number }],
  orderListDetailReal: [
    {
      name: 'an order that runs',
      query: (at) => ({ id: at.orders.running.id as OrderId }),
      shows: () => '工商业分时电价',
    },
    {
      name: 'an order that waits for a person',
      query: (at) => ({ id: at.orders.waiting.id as OrderId }),
      shows: () => '工商业分时电价',
    },
  ],
  // Without a filter it starts with today.
  orderListHistory: [{ query: () => ({ time: 'placed' }), shows: (at) => at.orders.refunded.number }],
  orderListDetailHistory: [
    {
      name: 'an order that ended',
      query: (at) => ({ id: at.orders.completed.id as OrderId }),
      shows: () => '工商业分时电价',
    },
    {
      name: 'an order that was refunded',
      query: (at) => ({ id: at.orders.refunded.id as OrderId }),
      shows: () => '充电枪接触不良',
    },
    {
      name: 'an order that was flagged',
      query: (at) => ({ id: at.orders.abnormal.id as OrderId }),
      shows: () => '工商业分时电价',
    },
  ],
  orderListAbnormal: [{ shows: (at) => at.orders.waiting.number }],
  orderListDetailAbnormal: [
    {
      name: 'an abnormal order among those of its list',
      query: (at) => ({ id: at.orders.abnormal.id as OrderId }),
      shows: () => '工商业分时电价',
    },
  ],
  orderListRefund: [{ shows: (at) => at.orders.refunded.number }],
  orderListDetailRefund: [
    {
      name: 'a refunded order among those of its list',
      query: (at) => ({ id: at.orders.refunded.id as OrderId }),
      shows: () => '充电枪接触不良',
    },
  ],
  groupList: [{ adds: { 'zh-CN': '添加团体', en: 'Add group' } }],
  userList: [{ adds: { 'zh-CN': '添加用户', en: 'Add user' } }],
  groupOrderList: [{}],
  groupRechargeList: [{}, { name: 'movements of groups', query: () => ({ view: 'movements' as const }) }],
  supOperatorDetail: [{ query: () => ({ id: 1 as PartnerId }), shows: () => walked.partner }],
  supOperatorList: [{ shows: () => walked.partner, adds: { 'zh-CN': '添加运营商', en: 'Add operator' } }],
  platformList: [
    {},
    { name: 'deliveries to platforms', query: () => ({ view: 'deliveries' as const }) },
    { name: 'exchanges with platforms', query: () => ({ view: 'exchanges' as const }) },
  ],
  stationList: [
    { shows: () => pulledSite.id },
    { name: 'sites that operators see', query: () => ({ view: 'exposed' as const }) },
    { name: 'syncs of sites', query: () => ({ view: 'syncs' as const }), shows: () => walked.partner },
  ],
  equipmentList: [
    { shows: () => pulledSite.id },
    { name: 'equipment that operators see', query: () => ({ view: 'exposed' as const }) },
  ],
  connectorList: [
    { shows: () => pulledSite.id },
    { name: 'connectors that operators see', query: () => ({ view: 'exposed' as const }) },
  ],
  hlhtOrderList: [
    { shows: () => walked.partner },
    { name: 'charges at other operators', query: () => ({ view: 'roaming' as const }), shows: () => walked.partner },
    { name: 'days of charges with operators', query: () => ({ view: 'days' as const }), shows: () => walked.partner },
  ],
  cardList: [{ shows: () => walkedMoney.debtor, adds: { 'zh-CN': '开卡', en: 'Issue card' } }],
  useRecods: [{ shows: (at) => at.orders.completed.number }],
  registerUser: [{ adds: { 'zh-CN': '添加用户', en: 'Add registered user' } }],
  registerUserDetail: [{ query: () => ({ id: 1 as CustomerId }), shows: () => '13900000001' }],
  transferList: [{ shows: () => walkedMoney.transfer }],
  giftList: [{ shows: () => walkedMoney.gift }],
  reportList: [{ adds: { 'zh-CN': '添加报表', en: 'Add report' } }],
  startFunnel: [
    {},
    { name: 'attempts to start a charge', query: () => ({ view: 'attempts' }), shows: (at) => at.charging.number },
  ],
  debtList: [{ shows: () => walkedMoney.debtor }],
  chongzhiRecods: [
    { shows: () => walkedMoney.debtor },
    { name: 'recharges alone', query: () => ({ view: 'recharges' }), shows: () => walkedMoney.debtor },
  ],
  recharge: [{}],
  refund: [{ shows: () => walkedMoney.payee, adds: { 'zh-CN': '代用户申请', en: 'Apply for a user' } }],
  invoiceList: [{ shows: () => walkedMoney.invoiceTitle, adds: { 'zh-CN': '代用户申请', en: 'Apply for a user' } }],
  couponList: [{ shows: () => walkedMoney.coupon, adds: { 'zh-CN': '添加优惠券', en: 'Add coupon' } }],
  promotionList: [{ shows: () => walkedMoney.promotion, adds: { 'zh-CN': '添加活动', en: 'Add promotion' } }],
  creditList: [{ shows: () => walkedMoney.customerPhone }],
  creditDetail: [{ shows: () => walkedMoney.credit }],
  financeList: [
    {},
    { name: 'statements by site', query: () => ({ by: 'site' }), shows: () => '西湖文化广场地下二层' },
    { name: 'the orders of statements', query: () => ({ view: 'moves' }), shows: (at) => at.orders.completed.number },
    { name: 'what is owed and held', query: () => ({ tab: 'holdings' }) },
    { name: 'accounts that are owed', query: () => ({ tab: 'holdings', view: 'accounts' }), shows: () => 'card:1' },
    { name: 'the proof of totals', query: () => ({ tab: 'proof' }) },
    { name: 'the margin of sites', query: () => ({ tab: 'margin' }), shows: () => '西湖文化广场地下二层' },
    {
      name: 'the bills of the grid',
      query: () => ({ tab: 'margin', view: 'bills' }),
      shows: () => walkedMoney.gridAccount,
    },
  ],
  reconciliationList: [{}, { name: 'differences of reconciliation', query: () => ({ view: 'differences' }) }],
  ledgerList: [
    { query: (at) => ({ orderNumber: at.orders.completed.number }), shows: (at) => at.orders.completed.number },
    { name: 'accounts of the ledger', query: () => ({ view: 'accounts' }), shows: () => 'card:1' },
    { name: 'the proof of the ledger', query: () => ({ view: 'proof' }) },
  ],
  operatorList: [{ shows: () => walked.agent, adds: { 'zh-CN': '添加代理商', en: 'Add agent' } }],
  accountChildren: [{ shows: () => walked.divider, adds: { 'zh-CN': '添加分成方', en: 'Add divider' } }],
  dividerDetail: [{ query: () => ({ id: 1 as DividerId }), shows: () => walked.divider }],
  dividerIncome: [
    { shows: () => walked.divider },
    { name: 'the income of one divider', query: () => ({ dividerId: 1 as DividerId }), shows: () => walked.divider },
  ],
  shareTermsList: [{ shows: () => 'Shenzhen Bay Innovation' }],
  tixianRecods: [{ shows: () => walked.agent }],
  childrenAccount: [{ query: () => ({ id: 1 as AgentId }), shows: () => walked.agent }],
  rulesList: [{ shows: () => '工商业分时电价', adds: { 'zh-CN': '添加计费规则', en: 'Add rule' } }],
  rulesDetail: [{ query: (at) => ({ id: at.tariffId as TariffId }), shows: (at) => at.charging.number }],
  role: [{ shows: () => walked.position, adds: { 'zh-CN': '添加岗位', en: 'Add position' } }],
  user: [{ shows: () => newcomer.userName, adds: { 'zh-CN': '添加用户', en: 'Add user' } }],
  menu: [{ shows: () => 'chargeOrderList', adds: { 'zh-CN': '添加菜单', en: 'Add menu' } }],
  auditLog: [{ shows: () => 'admin' }],
  signInLog: [{ shows: () => '127.0.0.1' }],
  approvalList: [{ query: () => ({ mine: 'asked' }), shows: () => walkedMoney.writeOff }],
  taskList: [{ shows: () => '工商业分时电价' }],
  taskDetail: [{ query: (at) => ({ id: at.commands.id as TaskId }), shows: (at) => at.offline.number }],
  settlementList: [{ shows: () => walked.agent }],
  settlementDetail: [{ query: () => ({ id: 1 as SettlementPeriodId }), shows: (at) => at.orders.completed.number }],
  rehearsalDetail: [{ query: (at) => ({ id: at.rehearsal.id as TaskId }), shows: () => '工商业分时电价' }],
  stationStock: [{ adds: { 'zh-CN': '批量生成标识', en: 'Make identities' } }],
  priceChangeList: [
    { shows: (at) => at.priceChange.name, adds: { 'zh-CN': '新建调价任务', en: 'Schedule a price change' } },
  ],
  priceChangeDetail: [
    { query: (at) => ({ id: at.priceChange.id as PriceChangeId }), shows: (at) => at.offline.number },
  ],
  configList: [
    { query: () => ({ key: 'sys' }), shows: () => 'sys_title', adds: { 'zh-CN': '添加参数', en: 'Add parameter' } },
  ],
  feedbackList: [{ shows: () => walked.complaint, adds: { 'zh-CN': '登记反馈', en: 'Record feedback' } }],
  advertList: [{ adds: { 'zh-CN': '添加广告', en: 'Add advert' } }],
  newsList: [{ shows: () => walked.article, adds: { 'zh-CN': '添加文章', en: 'Add article' } }],
  fileList: [{}],
};

/** The paths of the screens with a visible menu. */
export const menuPaths: readonly string[] = screenCodes
  .map(screenOf)
  .filter(({ icon, hidden }) => icon !== undefined && hidden !== true)
  .map(({ path }) => path);

/** Detail screens that another list than their parent links to, or none: two orders are chosen for a comparison. */
const linkedFrom: Readonly<Record<string, MenuScreenCode | null>> = {
  settlementDetail: 'settlementList',
  rehearsalDetail: 'taskList',
  chargeComparison: null,
  orderStory: null,
  stationStory: null,
  customerStory: null,
};

/** The detail screens that a list links to, each with that list. */
export const detailPaths: readonly (readonly [list: string, detail: string])[] = screenCodes.flatMap((code) => {
  const { path, parent } = screenOf(code);
  const list = code in linkedFrom ? linkedFrom[code] : parent;
  return list === undefined || list === null ? [] : [[screenOf(list).path, path]];
});

/** A view with its address, for a walk to open. */
export type ScreenView = {
  name: string;
  path(at: ChargingNetwork): string;
  shows?(at: ChargingNetwork): string;
};

/**
 * Every view of every screen.
 * @throws Error for a screen without a view.
 */
export function screenViews(): readonly ScreenView[] {
  return screenCodes.flatMap((code) => {
    const known: readonly View<ScreenCode>[] | undefined = views[code];
    if (known === undefined) {
      throw new Error(
        `tests/browser/screen-views.ts says nothing of ${code}: add the query that its address needs and a text that shows when the page is there`,
      );
    }
    return known.map(({ name = code, query, shows }) => ({
      name,
      path: (at) => screenOf(code).path + searchOf(query?.(at) ?? {}),
      ...(shows === undefined ? {} : { shows }),
    }));
  });
}

/** A view whose page can add a record. */
export type AddingView = { name: string; path: string; adds: Readonly<Record<Language, string>> };

export const addingViews: readonly AddingView[] = screenCodes.flatMap((code) =>
  (views[code] as readonly View<ScreenCode>[]).flatMap(({ name = code, adds }) =>
    adds === undefined ? [] : [{ name, path: screenOf(code).path, adds }],
  ),
);
