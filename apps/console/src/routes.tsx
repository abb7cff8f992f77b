import type { ComponentType } from 'react';
import type { BuiltScreen } from './screens-to-come.ts';
import { type Words, withWords } from './words.ts';

export type PageLoad = () => Promise<{ default: ComponentType }>;

/** A page's code, and its phrases beyond those of every screen. */
function page(words: readonly Words[], load: PageLoad): PageLoad {
  return withWords(words, load);
}

/** A story has a word of everything. */
const storyWords = ['stories', 'abnormalOrders', 'orders', 'order', 'approvals', 'audit', 'logs', 'errors'] as const;
const orderStoryWords = [...storyWords, 'payments'] as const;
const stationStoryWords = [...storyWords, 'stations'] as const;
const customerStoryWords = [...storyWords, 'payments', 'customers', 'transfers'] as const;

/** The page of every built screen. The server's menus decide which of them are reachable. */
export const pages: Readonly<Record<BuiltScreen, PageLoad>> = {
  home: page(['overview', 'orders', 'permissions'], () => import('./overview/HomePage.tsx')),
  plotList: page(['sites', 'content'], () => import('./sites/SiteListPage.tsx')),
  plotDetail: page(['sites', 'content', 'stations', 'orders'], () => import('./sites/SitePage.tsx')),
  deviceList: page(['stations', 'orders'], () => import('./stations/StationListPage.tsx')),
  deviceDetail: page(['stations', 'stationPage', 'orders', 'errors'], () => import('./stations/StationPage.tsx')),
  stationStory: page(stationStoryWords, () => import('./stories/StationStoryPage.tsx')),
  portList: page(['stations', 'orders', 'ports', 'errors'], () => import('./stations/ConnectorListPage.tsx')),
  stationStock: page(['stations', 'stationIdentities', 'errors'], () => import('./stations/IdentityListPage.tsx')),
  deviceLogOther: page(['logs', 'ocpp', 'ykc'], () => import('./logs/InteractionLogPage.tsx')),
  deviceLogCharging: page(['readings', 'orders', 'order'], () => import('./readings/ChargingLogPage.tsx')),
  chargeComparison: page(['readings', 'orders', 'order'], () => import('./readings/ChargeComparisonPage.tsx')),
  orderStory: page(orderStoryWords, () => import('./stories/OrderStoryPage.tsx')),
  vehicleList: page(['vehicles'], () => import('./vehicles/VehicleListPage.tsx')),
  orderListReal: page(['orders', 'errors'], () => import('./orders/RealOrderListPage.tsx')),
  orderListHistory: page(['orders', 'errors'], () => import('./orders/OrderHistoryPage.tsx')),
  orderListAbnormal: page(
    ['abnormalOrders', 'orders', 'order', 'errors'],
    () => import('./orders/AbnormalOrderListPage.tsx'),
  ),
  orderListDetailReal: page(['abnormalOrders', 'orders', 'order', 'errors'], () => import('./orders/OrderPage.tsx')),
  orderListDetailHistory: page(['abnormalOrders', 'orders', 'order', 'errors'], () => import('./orders/OrderPage.tsx')),
  orderListDetailAbnormal: page(
    ['abnormalOrders', 'orders', 'order', 'errors'],
    () => import('./orders/OrderPage.tsx'),
  ),
  orderListRefund: page(['orderRefunds'], () => import('./orders/RefundListPage.tsx')),
  orderListDetailRefund: page(['abnormalOrders', 'orders', 'order', 'errors'], () => import('./orders/OrderPage.tsx')),
  cardList: page(['cards', 'transfers', 'errors'], () => import('./cards/CardListPage.tsx')),
  useRecods: page(['cards'], () => import('./cards/CardUseListPage.tsx')),
  registerUser: page(['customers', 'transfers', 'errors'], () => import('./customers/CustomerListPage.tsx')),
  registerUserDetail: page(
    ['customers', 'transfers', 'debts', 'payments', 'errors'],
    () => import('./customers/CustomerPage.tsx'),
  ),
  customerStory: page(customerStoryWords, () => import('./stories/CustomerStoryPage.tsx')),
  transferList: page(['transfers'], () => import('./payments/transfers/TransferListPage.tsx')),
  giftList: page(['transfers'], () => import('./payments/transfers/GiftListPage.tsx')),
  startFunnel: page(['quality'], () => import('./quality/QualityPage.tsx')),
  debtList: page(['debts'], () => import('./orders/debts/DebtListPage.tsx')),
  chongzhiRecods: page(['payments', 'errors'], () => import('./payments/MovementListPage.tsx')),
  refund: page(['withdrawals', 'errors'], () => import('./withdrawals/WithdrawalListPage.tsx')),
  recharge: page(['payments', 'errors'], () => import('./payments/RechargePage.tsx')),
  promotionList: page(['promotions', 'errors'], () => import('./payments/PromotionListPage.tsx')),
  couponList: page(['coupons', 'errors'], () => import('./payments/CouponListPage.tsx')),
  invoiceList: page(['invoices', 'errors'], () => import('./invoices/InvoiceListPage.tsx')),
  financeList: page(['finance', 'books', 'errors'], () => import('./finance/FinancePage.tsx')),
  reconciliationList: page(['reconciliation', 'errors'], () => import('./reconciliation/ReconciliationPage.tsx')),
  ledgerList: page(['books'], () => import('./books/LedgerPage.tsx')),
  settlementList: page(['settlements', 'errors'], () => import('./settlements/SettlementListPage.tsx')),
  settlementDetail: page(['settlements', 'shares', 'errors'], () => import('./settlements/SettlementPage.tsx')),
  groupList: page(['groups', 'errors'], () => import('./groups/GroupListPage.tsx')),
  userList: page(['groups', 'errors'], () => import('./groups/GroupMemberListPage.tsx')),
  groupOrderList: page(['groups', 'orders', 'errors'], () => import('./orders/GroupOrderListPage.tsx')),
  groupRechargeList: page(['groups', 'payments', 'errors'], () => import('./payments/GroupMoneyPage.tsx')),
  supOperatorList: page(['interop', 'partnerSites', 'errors'], () => import('./interop/PartnerListPage.tsx')),
  supOperatorDetail: page(
    ['interop', 'payments', 'errors', 'partnerConnections', 'partnerSites'],
    () => import('./interop/PartnerPage.tsx'),
  ),
  stationList: page(
    ['interop', 'partnerSites', 'partnerConnections', 'sites', 'ports', 'errors'],
    () => import('./interop/PartnerSiteListPage.tsx'),
  ),
  equipmentList: page(
    ['interop', 'partnerSites', 'sites', 'ports'],
    () => import('./interop/PartnerStationListPage.tsx'),
  ),
  connectorList: page(['interop', 'partnerSites', 'sites', 'ports'], () => import('./interop/PartnerPortListPage.tsx')),
  platformList: page(['interop', 'errors'], () => import('./interop/PlatformListPage.tsx')),
  hlhtOrderList: page(['interop', 'errors'], () => import('./interop/InterconnectedOrderListPage.tsx')),
  creditList: page(['credit'], () => import('./credit/CreditListPage.tsx')),
  creditDetail: page(['credit'], () => import('./credit/CreditMovementListPage.tsx')),
  operatorList: page(['agents', 'errors'], () => import('./agents/AgentListPage.tsx')),
  tixianRecods: page(
    ['agentWithdrawals', 'withdrawals', 'errors'],
    () => import('./agent-withdrawals/AgentWithdrawalListPage.tsx'),
  ),
  childrenAccount: page(['agents', 'settlements', 'content', 'errors'], () => import('./agents/AgentPage.tsx')),
  accountChildren: page(['dividers', 'errors'], () => import('./dividers/DividerListPage.tsx')),
  dividerDetail: page(['dividers', 'settlements', 'errors'], () => import('./dividers/DividerPage.tsx')),
  dividerIncome: page(['dividerIncome', 'dividers', 'settlements'], () => import('./dividers/DividerIncomePage.tsx')),
  shareTermsList: page(['shareTerms'], () => import('./shares/ShareTermsListPage.tsx')),
  rulesList: page(['tariffs', 'errors'], () => import('./tariffs/RuleListPage.tsx')),
  rulesDetail: page(['tariffs', 'errors'], () => import('./tariffs/RulePage.tsx')),
  feedbackList: page(['content', 'errors'], () => import('./content/FeedbackListPage.tsx')),
  advertList: page(['content'], () => import('./content/AdvertListPage.tsx')),
  newsList: page(['content'], () => import('./content/ArticleListPage.tsx')),
  fileList: page(['content', 'errors'], () => import('./content/FileListPage.tsx')),
  configList: page(['settings', 'errors'], () => import('./settings/ConfigListPage.tsx')),
  role: page(['positions', 'errors'], () => import('./access/positions/PositionListPage.tsx')),
  user: page(['users', 'errors'], () => import('./access/users/UserListPage.tsx')),
  menu: page(['menuList', 'errors'], () => import('./access/menus/MenuListPage.tsx')),
  auditLog: page(['audit', 'tasks'], () => import('./access/audit/AuditLogPage.tsx')),
  signInLog: page(['signIns'], () => import('./access/sign-ins/SignInLogPage.tsx')),
  approvalList: page(['approvals', 'errors'], () => import('./approvals/ApprovalListPage.tsx')),
  taskList: page(['tasks', 'errors'], () => import('./tasks/TaskListPage.tsx')),
  taskDetail: page(['tasks', 'stations', 'errors'], () => import('./tasks/TaskPage.tsx')),
  rehearsalDetail: page(['rehearsals', 'tasks', 'errors'], () => import('./rehearsals/RehearsalPage.tsx')),
  priceChangeList: page(['priceChanges'], () => import('./price-changes/PriceChangeListPage.tsx')),
  priceChangeDetail: page(['priceChanges'], () => import('./price-changes/PriceChangePage.tsx')),
};
