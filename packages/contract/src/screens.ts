import type { BulkCommandKind } from '@voltdeck/charging/station-command';
import type {
  AccountId,
  AgentId,
  CardId,
  ConnectorId,
  CustomerId,
  DividerId,
  GroupId,
  InvoiceId,
  OrderId,
  PartnerId,
  PriceChangeId,
  RechargeId,
  ReconciliationDayId,
  ReconciliationDifferenceId,
  SettlementPeriodId,
  SiteId,
  StationId,
  TariffId,
  TaskId,
  TransferId,
} from '@voltdeck/units/id';
import type { listAbnormalOrders } from './abnormal-orders.ts';
import type { listAdverts } from './adverts.ts';
import type { listAgentWithdrawals } from './agent-withdrawals.ts';
import type { listAgents } from './agents.ts';
import type { listApprovals } from './approval-records.ts';
import type { listArticles } from './articles.ts';
import type { listAuditEntries, listSignIns } from './audit.ts';
import type { listLedgerAccounts, listLedgerTransfers, listProofRuns } from './books.ts';
import type { listCardUses } from './card-uses.ts';
import type { listCards } from './cards.ts';
import type { listConnectors } from './connectors.ts';
import type { listCoupons } from './coupons.ts';
import type { listCreditMovements, listCredits } from './credit.ts';
import type { listCustomers } from './customers.ts';
import type { listDebts } from './debts.ts';
import type { listDividerShares } from './divider-income.ts';
import type { listDividers } from './dividers.ts';
import type { listExposedPorts, listExposedSites, listExposedStations } from './exposed-sites.ts';
import type { listFeedbacks } from './feedbacks.ts';
import type { listFiles } from './files.ts';
import type { listGridBills, listMargins } from './grid-bills.ts';
import type { listGroupMembers } from './group-members.ts';
import type { listGroups } from './groups.ts';
import type { listHoldingAccounts } from './holdings.ts';
import type { listInvoices } from './invoices.ts';
import type { listInteractionLogs } from './logs.ts';
import type { MenuIconName } from './menu-icons.ts';
import type { listMovements } from './movements.ts';
import type { listOrderRefunds } from './order-refunds.ts';
import type { listOrders } from './orders.ts';
import { outerScreens } from './outer-screens.ts';
import type { listPartnerDeliveries, listPartnerExchanges } from './partner-deliveries.ts';
import type { listPartnerPulls } from './partner-pulls.ts';
import type { listPartners } from './partners.ts';
import type { listRecharges } from './payments.ts';
import type { Permission } from './permissions.ts';
import type { listPositions } from './positions.ts';
import type { listPriceChanges } from './price-changes.ts';
import type { listPromotions } from './promotions.ts';
import type { listPulledPorts, listPulledSites, listPulledStations } from './pulled-sites.ts';
import type { LeagueSubject, listStartAttempts } from './quality.ts';
import type { listChargeNotes, listReadings } from './readings.ts';
import type { listReconciliationDays, listReconciliationDifferences } from './reconciliation.ts';
import type { listReports } from './reports.ts';
import type { listPartnerCharges, listPartnerDays, listRoamingCharges } from './roaming.ts';
import type { QueryOf } from './route.ts';
import type { listConfigs } from './settings.ts';
import type { listSettlementPeriods } from './settlements.ts';
import type { listShareTerms } from './share-terms.ts';
import type { listSites } from './sites.ts';
import type { listStatementMoves, listStatements } from './statements.ts';
import type { listStationIdentities } from './station-identities.ts';
import type { listStations } from './stations.ts';
import type { getSiteRanking, getStatistics, StatisticsMeasure, StatisticsPeriod } from './statistics.ts';
import type { listTariffs } from './tariffs.ts';
import type { listTasks, TaskRowState } from './tasks.ts';
import type { listTotals } from './totals.ts';
import type { listGifts, listTransfers } from './transfers.ts';
import type { listUsers } from './users.ts';
import type { listVehicles } from './vehicles.ts';
import type { listWithdrawals } from './withdrawals.ts';

/** The tabs of /financeList. */
export type FinanceTab = 'statements' | 'holdings' | 'margin' | 'proof';

/** What /quality shows: the figures, or the attempts behind them. */
export type QualityView = 'attempts';

/** Specification section 2: the menu groups, each with its icon. */
export const screenGroups = {
  statistics: { icon: 'chart' },
  total: { icon: 'total' },
  plot: { icon: 'site' },
  device: { icon: 'device' },
  deviceLog: { icon: 'log' },
  chargeOrderList: { icon: 'order' },
  invoice: { icon: 'invoice' },
  card: { icon: 'card' },
  rulesmanage: { icon: 'tariff' },
  register: { icon: 'customer' },
  rechargeParent: { icon: 'recharge' },
  credit: { icon: 'credit' },
  operator: { icon: 'agent' },
  groupCharge: { icon: 'group' },
  hlht: { icon: 'partner' },
  systemUser: { icon: 'system' },
  feedback: { icon: 'feedback' },
  advert: { icon: 'advert' },
  promotion: { icon: 'promotion' },
  finance: { icon: 'finance' },
  file: { icon: 'file' },
  config: { icon: 'config' },
  news: { icon: 'article' },
  accountChildrenParent: { icon: 'divider' },
} as const satisfies Record<string, { icon: MenuIconName }>;
export type ScreenGroup = keyof typeof screenGroups;

/** Query of a list screen: any filter of its route, its page and its sort. */
type ListQuery<Route> = Partial<QueryOf<Route>>;
type DetailQuery<Id> = { id: Id };
type NoQuery = Readonly<Record<never, never>>;

type AnyScreen = {
  path: `/${string}`;
  /** Only the type matters: what the address may carry; nothing when omitted. */
  query?: object;
  /**
   * Only the type matters: what a link may open on the screen, by the act's name. `of` is the record it concerns; every
   * other value is one that the form starts with. They are ids and choices, never text, so that no link can put words
   * into a form.
   */
  opens?: object;
  /** Not kept alive between visits. */
  noCache?: true;
};
type WithMenu = AnyScreen & {
  /** Null for a screen at the top level of the menu. */
  group: ScreenGroup | null;
  /** The console's icon name. */
  icon: MenuIconName;
  /** Permission to read what the screen shows; absent while no route serves it. */
  permission?: Permission;
  /** Reached from another screen, not from the sidebar. */
  hidden?: true;
};
type Detail = AnyScreen & {
  /** The list it belongs to: reachable wherever the list is, and the list's menu stays highlighted. */
  parent: string;
  /** Each value of this parameter opens its own tab, so two orders can be open side by side. */
  tabBy: 'id';
  /** Phrase key of its name; a screen with a menu takes the menu's name. */
  title: string;
};

/**
 * Every screen of the specification (section 2) and ours beyond it, by menu code and in menu order. The menus, the page
 * registry, the links and the tests that walk all screens read it.
 */
const inFrame = {
  home: {
    path: '/home',
    group: null,
    icon: 'home',
    permission: 'overview.read',
    query: {} as { site?: number; region?: string; steps?: true; view?: 'tree' },
  },
  statisticsList: {
    path: '/statisticsList',
    group: 'statistics',
    icon: 'chart',
    permission: 'statistics.read',
    query: {} as Partial<QueryOf<typeof getStatistics> & Pick<QueryOf<typeof getSiteRanking>, 'by'>> & {
      /** A period that moves with the day, instead of `from` and `to`. */
      period?: StatisticsPeriod;
      measure?: StatisticsMeasure;
    },
  },
  startFunnel: {
    path: '/quality',
    group: 'statistics',
    icon: 'chart',
    permission: 'quality.read',
    query: {} as Partial<ListQuery<typeof listStartAttempts>> & { view?: QualityView; by?: LeagueSubject },
  },
  reportList: {
    path: '/reports',
    group: 'statistics',
    icon: 'chart',
    permission: 'report.read',
    query: {} as ListQuery<typeof listReports>,
  },
  totalList: {
    path: '/totalList',
    group: 'total',
    icon: 'total',
    permission: 'total.read',
    query: {} as ListQuery<typeof listTotals>,
  },
  plotList: {
    path: '/plotList',
    group: 'plot',
    icon: 'site',
    permission: 'site.read',
    query: {} as ListQuery<typeof listSites>,
    opens: {} as { add: NoQuery },
  },
  plotDetail: {
    path: '/plotDetail',
    parent: 'plotList',
    tabBy: 'id',
    title: 'shell.siteDetail',
    query: {} as DetailQuery<SiteId>,
  },
  deviceList: {
    path: '/deviceList',
    group: 'device',
    icon: 'station',
    permission: 'station.read',
    query: {} as ListQuery<typeof listStations>,
    opens: {} as {
      add: { siteId?: SiteId | undefined; cardTariffId?: TariffId | undefined };
      edit: { of: StationId };
      connection: { of: StationId };
      commandAll: { kind?: BulkCommandKind | undefined };
    },
  },
  deviceDetail: {
    path: '/deviceDetail',
    parent: 'deviceList',
    tabBy: 'id',
    title: 'shell.stationDetail',
    query: {} as DetailQuery<StationId> & { tab?: 'log'; log?: 'timeline' },
  },
  stationStory: {
    path: '/stationStory',
    parent: 'deviceList',
    tabBy: 'id',
    title: 'shell.stationStory',
    query: {} as DetailQuery<StationId> & { hours?: number },
  },
  portList: {
    path: '/portList',
    group: 'device',
    icon: 'connector',
    permission: 'connector.read',
    query: {} as ListQuery<typeof listConnectors> & { view?: 'wall' },
    opens: {} as { start: { of: ConnectorId; cardId?: CardId | undefined; customerId?: CustomerId | undefined } },
  },
  stationStock: {
    path: '/stationStock',
    group: 'device',
    icon: 'device',
    permission: 'station.create',
    query: {} as ListQuery<typeof listStationIdentities>,
  },
  deviceLogOther: {
    path: '/deviceLogOther',
    group: 'deviceLog',
    icon: 'log',
    permission: 'log.read',
    query: {} as ListQuery<typeof listInteractionLogs> & { frame?: string },
  },
  deviceLogCharging: {
    path: '/deviceLogCharging',
    group: 'deviceLog',
    icon: 'curve',
    permission: 'log.read',
    query: {} as ListQuery<typeof listReadings> &
      ListQuery<typeof listChargeNotes> & { view?: 'bms'; charge?: OrderId },
  },
  chargeComparison: {
    path: '/chargeComparison',
    parent: 'deviceLogCharging',
    tabBy: 'id',
    title: 'shell.chargeComparison',
    query: {} as DetailQuery<OrderId> & { other?: OrderId },
  },
  orderStory: {
    path: '/orderStory',
    parent: 'orderListHistory',
    tabBy: 'id',
    title: 'shell.orderStory',
    query: {} as DetailQuery<OrderId>,
  },
  orderListReal: {
    path: '/orderListReal',
    group: 'chargeOrderList',
    icon: 'live',
    permission: 'order.read',
    query: {} as ListQuery<typeof listOrders>,
  },
  orderListDetailReal: {
    path: '/orderListDetailReal',
    parent: 'orderListReal',
    tabBy: 'id',
    title: 'shell.orderDetail',
    query: {} as DetailQuery<OrderId>,
  },
  orderListHistory: {
    path: '/orderListHistory',
    group: 'chargeOrderList',
    icon: 'history',
    permission: 'order.read',
    query: {} as ListQuery<typeof listOrders>,
    opens: {} as { refund: { of: OrderId } },
  },
  orderListDetailHistory: {
    path: '/orderListDetailHistory',
    parent: 'orderListHistory',
    tabBy: 'id',
    title: 'shell.orderDetail',
    query: {} as DetailQuery<OrderId>,
  },
  orderListAbnormal: {
    path: '/orderListAbnormal',
    group: 'chargeOrderList',
    icon: 'warning',
    permission: 'order.read',
    query: {} as ListQuery<typeof listAbnormalOrders>,
  },
  orderListDetailAbnormal: {
    path: '/orderListDetailAbnormal',
    parent: 'orderListAbnormal',
    tabBy: 'id',
    title: 'shell.orderDetail',
    query: {} as DetailQuery<OrderId>,
  },
  orderListRefund: {
    path: '/orderListRefund',
    group: 'chargeOrderList',
    icon: 'refund',
    permission: 'order.read',
    query: {} as ListQuery<typeof listOrderRefunds>,
  },
  orderListDetailRefund: {
    path: '/orderListDetailRefund',
    parent: 'orderListRefund',
    tabBy: 'id',
    title: 'shell.orderDetail',
    query: {} as DetailQuery<OrderId>,
  },
  invoiceList: {
    path: '/invoiceList',
    group: 'invoice',
    icon: 'invoice',
    permission: 'invoice.read',
    query: {} as ListQuery<typeof listInvoices>,
    opens: {} as {
      add: { customerId?: CustomerId | undefined; groupId?: GroupId | undefined };
      open: { of: InvoiceId };
    },
  },
  cardList: {
    path: '/cardList',
    group: 'card',
    icon: 'card',
    permission: 'card.read',
    query: {} as ListQuery<typeof listCards>,
    opens: {} as { add: { customerId?: CustomerId | undefined } },
  },
  vehicleList: {
    path: '/vehicleList',
    group: 'card',
    icon: 'vehicle',
    permission: 'vehicle.read',
    query: {} as ListQuery<typeof listVehicles>,
  },
  useRecods: {
    path: '/useRecods',
    group: 'card',
    icon: 'history',
    permission: 'card.read',
    query: {} as ListQuery<typeof listCardUses>,
  },
  rulesList: {
    path: '/rules/list',
    group: 'rulesmanage',
    icon: 'tariff',
    permission: 'tariff.read',
    query: {} as ListQuery<typeof listTariffs>,
    opens: {} as { add: NoQuery },
  },
  rulesDetail: {
    path: '/rules/detail',
    parent: 'rulesList',
    tabBy: 'id',
    title: 'shell.ruleDetail',
    query: {} as DetailQuery<TariffId>,
  },
  rehearsalDetail: {
    path: '/rules/rehearsal',
    parent: 'rulesList',
    tabBy: 'id',
    title: 'shell.rehearsalDetail',
    query: {} as DetailQuery<TaskId>,
  },
  priceChangeList: {
    path: '/rules/changes',
    group: 'rulesmanage',
    icon: 'tariff',
    permission: 'price_change.read',
    query: {} as ListQuery<typeof listPriceChanges>,
  },
  priceChangeDetail: {
    path: '/rules/change',
    parent: 'priceChangeList',
    tabBy: 'id',
    title: 'shell.priceChangeDetail',
    query: {} as DetailQuery<PriceChangeId>,
  },
  registerUser: {
    path: '/registerUser',
    group: 'register',
    icon: 'customer',
    permission: 'customer.read',
    query: {} as ListQuery<typeof listCustomers>,
    opens: {} as { add: NoQuery },
  },
  chongzhiRecods: {
    path: '/chongzhiRecods',
    group: 'register',
    icon: 'recharge',
    permission: 'recharge.read',
    query: {} as ListQuery<typeof listMovements> &
      ListQuery<typeof listRecharges> & { view?: 'recharges' | 'channels' },
    opens: {} as { reverse: { of: RechargeId } },
  },
  registerUserDetail: {
    path: '/registerUserDetail',
    parent: 'registerUser',
    tabBy: 'id',
    title: 'shell.customerDetail',
    query: {} as DetailQuery<CustomerId>,
  },
  customerStory: {
    path: '/customerStory',
    parent: 'registerUser',
    tabBy: 'id',
    title: 'shell.customerStory',
    query: {} as DetailQuery<CustomerId> & { hours?: number },
  },
  transferList: {
    path: '/transferList',
    group: 'register',
    icon: 'recharge',
    permission: 'recharge.read',
    query: {} as ListQuery<typeof listTransfers>,
  },
  giftList: {
    path: '/giftList',
    group: 'register',
    icon: 'promotion',
    permission: 'recharge.read',
    query: {} as ListQuery<typeof listGifts>,
  },
  debtList: {
    path: '/debtList',
    group: 'register',
    icon: 'warning',
    permission: 'debt.read',
    query: {} as ListQuery<typeof listDebts>,
  },
  refund: {
    path: '/refund',
    group: 'register',
    icon: 'withdrawal',
    permission: 'withdrawal.read',
    query: {} as ListQuery<typeof listWithdrawals>,
    opens: {} as { add: { customerId?: CustomerId | undefined } },
  },
  recharge: {
    path: '/recharge',
    group: 'rechargeParent',
    icon: 'recharge',
    query: {} as { cardId?: CardId; customerId?: CustomerId },
  },
  creditList: {
    path: '/creditList',
    group: 'credit',
    icon: 'credit',
    permission: 'credit.read',
    query: {} as ListQuery<typeof listCredits>,
  },
  creditDetail: {
    path: '/creditDetail',
    group: 'credit',
    icon: 'history',
    permission: 'credit.read',
    query: {} as ListQuery<typeof listCreditMovements>,
  },
  operatorList: {
    path: '/operatorList',
    group: 'operator',
    icon: 'agent',
    permission: 'agent.read',
    query: {} as ListQuery<typeof listAgents>,
    opens: {} as { add: NoQuery },
  },
  tixianRecods: {
    path: '/tixianRecods',
    group: 'operator',
    icon: 'withdrawal',
    hidden: true,
    permission: 'agent_withdrawal.read',
    query: {} as ListQuery<typeof listAgentWithdrawals>,
    opens: {} as { add: NoQuery },
  },
  childrenAccount: {
    path: '/childrenAccount',
    parent: 'operatorList',
    tabBy: 'id',
    title: 'menu.childrenAccount',
    query: {} as DetailQuery<AgentId> & { tab?: 'stations' | 'subordinates' | 'income' },
  },
  groupList: {
    path: '/groupList',
    group: 'groupCharge',
    icon: 'group',
    permission: 'group.read',
    query: {} as ListQuery<typeof listGroups>,
    opens: {} as { add: NoQuery },
  },
  userList: {
    path: '/userList',
    group: 'groupCharge',
    icon: 'customer',
    permission: 'group_member.read',
    query: {} as ListQuery<typeof listGroupMembers>,
    opens: {} as { add: { groupId?: GroupId | undefined } },
  },
  groupOrderList: {
    path: '/groupOrderList',
    group: 'groupCharge',
    icon: 'order',
    permission: 'order.read',
    query: {} as ListQuery<typeof listOrders>,
  },
  groupRechargeList: {
    path: '/groupRechargeList',
    group: 'groupCharge',
    icon: 'recharge',
    permission: 'recharge.read',
    query: {} as ListQuery<typeof listMovements> & ListQuery<typeof listRecharges> & { view?: 'movements' },
  },
  supOperatorList: {
    path: '/supOperatorList',
    group: 'hlht',
    icon: 'partner',
    permission: 'partner.read',
    query: {} as ListQuery<typeof listPartners>,
    opens: {} as { add: NoQuery },
  },
  platformList: {
    path: '/platformList',
    group: 'hlht',
    icon: 'platform',
    permission: 'partner_delivery.read',
    query: {} as ListQuery<typeof listPartners> &
      ListQuery<typeof listPartnerDeliveries> &
      ListQuery<typeof listPartnerExchanges> & { view?: 'deliveries' | 'exchanges' },
  },
  supOperatorDetail: {
    path: '/supOperatorDetail',
    parent: 'supOperatorList',
    tabBy: 'id',
    title: 'menu.supOperatorDetail',
    query: {} as DetailQuery<PartnerId>,
  },
  stationList: {
    path: '/stationList',
    group: 'hlht',
    icon: 'site',
    permission: 'partner_site.read',
    query: {} as ListQuery<typeof listPulledSites> &
      ListQuery<typeof listExposedSites> &
      ListQuery<typeof listPartnerPulls> & { view?: 'exposed' | 'syncs' },
    opens: {} as { pull: { partnerId?: PartnerId | undefined } },
  },
  equipmentList: {
    path: '/equipmentList',
    group: 'hlht',
    icon: 'station',
    permission: 'partner_station.read',
    query: {} as ListQuery<typeof listPulledStations> & ListQuery<typeof listExposedStations> & { view?: 'exposed' },
  },
  connectorList: {
    path: '/connectorList',
    group: 'hlht',
    icon: 'connector',
    permission: 'partner_port.read',
    query: {} as ListQuery<typeof listPulledPorts> & ListQuery<typeof listExposedPorts> & { view?: 'exposed' },
  },
  hlhtOrderList: {
    path: '/hlhtOrderList',
    group: 'hlht',
    icon: 'order',
    permission: 'partner_order.read',
    query: {} as ListQuery<typeof listPartnerCharges> &
      ListQuery<typeof listRoamingCharges> &
      ListQuery<typeof listPartnerDays> & { view?: 'roaming' | 'days' },
  },
  role: {
    path: '/role',
    group: 'systemUser',
    icon: 'position',
    permission: 'position.read',
    query: {} as ListQuery<typeof listPositions>,
  },
  user: {
    path: '/user',
    group: 'systemUser',
    icon: 'user',
    permission: 'user.read',
    query: {} as ListQuery<typeof listUsers>,
    opens: {} as { add: NoQuery },
  },
  menu: { path: '/menu', group: 'systemUser', icon: 'menu', permission: 'menu.read' },
  auditLog: {
    path: '/auditLog',
    group: 'systemUser',
    icon: 'audit',
    permission: 'audit.read',
    query: {} as ListQuery<typeof listAuditEntries>,
  },
  signInLog: {
    path: '/signInLog',
    group: 'systemUser',
    icon: 'sign-in',
    permission: 'sign_in.read',
    query: {} as ListQuery<typeof listSignIns>,
  },
  feedbackList: {
    path: '/feedbackList',
    group: 'feedback',
    icon: 'feedback',
    permission: 'feedback.read',
    query: {} as ListQuery<typeof listFeedbacks>,
  },
  advertList: {
    path: '/advertList',
    group: 'advert',
    icon: 'advert',
    permission: 'advert.read',
    query: {} as ListQuery<typeof listAdverts>,
  },
  promotionList: {
    path: '/promotionList',
    group: 'promotion',
    icon: 'promotion',
    permission: 'promotion.read',
    query: {} as ListQuery<typeof listPromotions>,
  },
  couponList: {
    path: '/couponList',
    group: 'promotion',
    icon: 'promotion',
    permission: 'coupon.read',
    query: {} as ListQuery<typeof listCoupons>,
  },
  settlementList: {
    path: '/settlementList',
    group: 'finance',
    icon: 'withdrawal',
    permission: 'settlement.read',
    query: {} as ListQuery<typeof listSettlementPeriods>,
  },
  settlementDetail: {
    path: '/settlementDetail',
    parent: 'settlementList',
    tabBy: 'id',
    title: 'shell.settlementDetail',
    query: {} as DetailQuery<SettlementPeriodId>,
  },
  shareTermsList: {
    path: '/shareTerms',
    group: 'finance',
    icon: 'divider',
    permission: 'share_terms.read',
    query: {} as ListQuery<typeof listShareTerms>,
  },
  financeList: {
    path: '/financeList',
    group: 'finance',
    icon: 'finance',
    permission: 'finance.read',
    query: {} as ListQuery<typeof listStatements> &
      Omit<ListQuery<typeof listStatementMoves>, 'sort'> &
      Omit<ListQuery<typeof listHoldingAccounts>, 'sort'> &
      Omit<ListQuery<typeof listGridBills>, 'sort'> &
      Omit<ListQuery<typeof listMargins>, 'sort'> & {
        tab?: FinanceTab;
        view?: 'moves' | 'accounts' | 'bills';
        day?: string;
      },
  },
  reconciliationList: {
    path: '/reconciliationList',
    group: 'finance',
    icon: 'data',
    permission: 'reconciliation.read',
    query: {} as ListQuery<typeof listReconciliationDays> &
      ListQuery<typeof listReconciliationDifferences> & { view?: 'differences' },
    opens: {} as { day: { of: ReconciliationDayId }; difference: { of: ReconciliationDifferenceId } },
  },
  ledgerList: {
    path: '/ledgerList',
    group: 'finance',
    icon: 'total',
    permission: 'ledger.read',
    query: {} as ListQuery<typeof listLedgerTransfers> &
      ListQuery<typeof listLedgerAccounts> &
      ListQuery<typeof listProofRuns> & { view?: 'accounts' | 'proof' },
    opens: {} as { transfer: { of: TransferId }; account: { of: AccountId } },
  },
  fileList: {
    path: '/fileList',
    group: 'file',
    icon: 'file',
    permission: 'file.read',
    query: {} as ListQuery<typeof listFiles>,
  },
  configList: {
    path: '/configList',
    group: 'config',
    icon: 'config',
    permission: 'config.read',
    query: {} as ListQuery<typeof listConfigs>,
  },
  newsList: {
    path: '/newsList',
    group: 'news',
    icon: 'article',
    permission: 'article.read',
    query: {} as ListQuery<typeof listArticles>,
  },
  accountChildren: {
    path: '/accountChildren',
    group: 'accountChildrenParent',
    icon: 'divider',
    permission: 'divider.read',
    query: {} as ListQuery<typeof listDividers>,
    opens: {} as { add: { agentId?: AgentId | undefined } },
  },
  dividerDetail: {
    path: '/accountChildren/detail',
    parent: 'accountChildren',
    tabBy: 'id',
    title: 'shell.dividerDetail',
    query: {} as DetailQuery<DividerId>,
  },
  dividerIncome: {
    path: '/dividerIncome',
    group: 'accountChildrenParent',
    icon: 'chart',
    permission: 'divider_income.read',
    query: {} as ListQuery<typeof listDividerShares>,
  },
  approvalList: {
    path: '/approvalList',
    group: null,
    icon: 'audit',
    permission: 'approval.read',
    query: {} as ListQuery<typeof listApprovals>,
  },
  taskList: {
    path: '/taskList',
    group: null,
    icon: 'task',
    permission: 'task.read',
    query: {} as ListQuery<typeof listTasks>,
  },
  taskDetail: {
    path: '/taskDetail',
    parent: 'taskList',
    tabBy: 'id',
    title: 'shell.taskDetail',
    query: {} as DetailQuery<TaskId> & { state?: readonly TaskRowState[] },
  },
} as const satisfies Record<string, WithMenu | Detail>;

type InFrame = typeof inFrame;
type CodesWith<Shape> = { [Code in keyof InFrame]: InFrame[Code] extends Shape ? Code : never }[keyof InFrame];

/** A screen inside the frame, which has a tab. */
export type ScreenCode = keyof InFrame;
/** A screen with a menu of its own. */
export type MenuScreenCode = CodesWith<WithMenu>;
/** A screen that belongs to a list. */
export type DetailScreenCode = CodesWith<Detail>;

/** Any screen with an address of its own. */
export const screens = { ...inFrame, ...outerScreens };
export type PlaceCode = keyof typeof screens;

/** The query that a screen's path may carry. */
export type ScreenQuery<Code extends PlaceCode> = (typeof screens)[Code] extends { query: infer Query }
  ? Query
  : NoQuery;

type OpensOf<Code extends PlaceCode> = (typeof screens)[Code] extends { opens: infer Opens } ? Opens : NoQuery;

/** The acts of a screen that a link may open. */
export type OpenedAct<Code extends PlaceCode> = keyof OpensOf<Code> & string;
/** What a link to an act carries. */
export type Opening<Code extends PlaceCode, Act extends OpenedAct<Code>> = OpensOf<Code>[Act];
/** The values that an act's form starts with. */
export type GivenTo<Code extends PlaceCode, Act extends OpenedAct<Code>> = Omit<Opening<Code, Act>, 'of'>;

/** The parameters of an address that name an open act, its records and the values its form starts with. */
export const openingParameters = { act: 'do', records: 'of', given: 'with.' } as const;

/** What every screen in the frame has in common. */
export type Screen = AnyScreen &
  Partial<Omit<WithMenu, keyof AnyScreen>> &
  Partial<Omit<Detail, keyof AnyScreen | 'parent'> & { parent: MenuScreenCode }>;

const facts: Readonly<Record<ScreenCode, Screen>> = inFrame;

export const screenCodes = Object.keys(inFrame) as readonly ScreenCode[];

export function screenOf(code: ScreenCode): Screen {
  return facts[code];
}

export type MenuScreen = WithMenu & { code: MenuScreenCode };

/** The screens with a menu, in menu order. */
export const menuScreens: readonly MenuScreen[] = screenCodes.flatMap((code) => {
  const screen = inFrame[code];
  return 'group' in screen ? [{ ...screen, code: code as MenuScreenCode }] : [];
});

const byPath: ReadonlyMap<string, ScreenCode> = new Map(screenCodes.map((code) => [facts[code].path, code]));

/** The screen in the frame that has this path, if any. */
export function screenAt(path: string): ScreenCode | undefined {
  return byPath.get(path);
}

/** The phrase keys that name screens. */
export type ScreenTitle = `menu.${MenuScreenCode}` | InFrame[DetailScreenCode]['title'];

export function screenTitle(code: ScreenCode): ScreenTitle {
  const screen = inFrame[code];
  return 'title' in screen ? screen.title : `menu.${code as MenuScreenCode}`;
}
