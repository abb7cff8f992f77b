import type { ListName } from '@voltdeck/contract/list';
import { auditList } from '../access/audit-log.ts';
import { signInList } from '../access/list-sign-ins.ts';
import { positionList } from '../access/positions/queries.ts';
import { userList } from '../access/users/queries.ts';
import { agentWithdrawalList } from '../agent-withdrawals/queries.ts';
import { agentList } from '../agents/queries.ts';
import { approvalList } from '../approvals/queries.ts';
import { ledgerAccountList } from '../books/accounts.ts';
import { proofRunList } from '../books/proofs.ts';
import { ledgerTransferList } from '../books/transfers.ts';
import { cardUseList } from '../cards/card-uses.ts';
import { cardList } from '../cards/queries.ts';
import { advertList } from '../content/adverts/queries.ts';
import { articleList } from '../content/articles/queries.ts';
import { feedbackList } from '../content/feedbacks/queries.ts';
import { fileList } from '../content/files/queries.ts';
import { creditList, creditMovementList } from '../credit/queries.ts';
import { customerList } from '../customers/queries.ts';
import { dividerShareList } from '../dividers/divider-income.ts';
import { dividerList } from '../dividers/queries.ts';
import { dividerTermList } from '../dividers/term-queries.ts';
import { gridBillList } from '../finance/grid-bills/queries.ts';
import { holdingAccountList } from '../finance/holding-accounts.ts';
import { marginList } from '../finance/margins.ts';
import { statementMoveList } from '../finance/statement-moves.ts';
import { statementList } from '../finance/statements.ts';
import { groupMemberList } from '../groups/member-queries.ts';
import { groupList } from '../groups/queries.ts';
import { type AnySource, type FileSource, fileSourceOf } from '../http/list-source.ts';
import { partnerDeliveryList } from '../interop/delivery-queries.ts';
import { partnerExchangeList } from '../interop/exchange-queries.ts';
import { exposedPortList, exposedSiteList, exposedStationList } from '../interop/exposed-lists.ts';
import { partnerMovementList } from '../interop/movement-queries.ts';
import { partnerChargeList } from '../interop/partner-charge-queries.ts';
import { partnerDayList } from '../interop/partner-day-queries.ts';
import { partnerPaymentList } from '../interop/pay-partner.ts';
import { pulledPortList, pulledSiteList, pulledStationList } from '../interop/pull/pulled-lists.ts';
import { partnerPullList } from '../interop/pull/queries.ts';
import { partnerList } from '../interop/queries.ts';
import { roamingChargeList } from '../interop/roaming/roaming-queries.ts';
import { invoiceList } from '../invoices/queries.ts';
import { logFile } from '../logs/export-logs.ts';
import { abnormalOrderList } from '../orders/abnormal/queries.ts';
import { debtList } from '../orders/debts/queries.ts';
import { orderList } from '../orders/queries.ts';
import { orderRefundList } from '../orders/refunds/queries.ts';
import { channelPaymentList } from '../payments/channel-payments/queries.ts';
import { couponList } from '../payments/coupons/queries.ts';
import { giftList } from '../payments/gifts/queries.ts';
import { movementList } from '../payments/movements/queries.ts';
import { promotionList } from '../payments/promotions/queries.ts';
import { rechargeList } from '../payments/queries.ts';
import { channelBillLineList } from '../payments/recharge-code-queries.ts';
import { transferList } from '../payments/transfers/queries.ts';
import { priceChangeList, priceChangeStationList } from '../price-changes/queries.ts';
import { startAttemptList } from '../quality/queries.ts';
import { chargeNoteList, readingList } from '../readings/queries.ts';
import { reconciliationDayList, reconciliationDifferenceList } from '../reconciliation/queries.ts';
import { rehearsalFigureList } from '../rehearsals/queries.ts';
import { configList } from '../settings/queries.ts';
import { settledShareList, settlementPeriodList } from '../settlements/queries.ts';
import { shareTermsList } from '../shares/share-terms.ts';
import { siteList } from '../sites/queries.ts';
import { identityList } from '../stations/identities/queries.ts';
import { connectorList, stationList, unknownStationList } from '../stations/queries.ts';
import { totalList } from '../statistics/totals.ts';
import { stationTariffList, tariffList } from '../tariffs/queries.ts';
import { vehicleList } from '../vehicles/queries.ts';
import { withdrawalList } from '../withdrawals/queries.ts';
import { taskList, taskRowList } from './queries.ts';
import { reportList } from './report-queries.ts';

/** The source of every list's rows, for its pages, its totals and its exports. */
export const listSources: Readonly<Record<ListName, AnySource | FileSource>> = {
  listStations: stationList,
  listConnectors: connectorList,
  listUnknownStations: unknownStationList,
  listStationIdentities: identityList,
  listSites: siteList,
  listOrders: orderList,
  listAbnormalOrders: abnormalOrderList,
  listOrderRefunds: orderRefundList,
  listInteractionLogs: logFile,
  listAuditEntries: auditList,
  listSignIns: signInList,
  listUsers: userList,
  listPositions: positionList,
  listAgents: agentList,
  listGroups: groupList,
  listGroupMembers: groupMemberList,
  listDividers: dividerList,
  listDividerTerms: dividerTermList,
  listDividerShares: dividerShareList,
  listShareTerms: shareTermsList,
  listTariffs: tariffList,
  listStationTariffs: stationTariffList,
  listCustomers: customerList,
  listCards: cardList,
  listCardUses: cardUseList,
  listVehicles: vehicleList,
  listReadings: readingList,
  listChargeNotes: chargeNoteList,
  listRecharges: rechargeList,
  listTransfers: transferList,
  listGifts: giftList,
  listChannelBillLines: channelBillLineList,
  listChannelPayments: channelPaymentList,
  listMovements: movementList,
  listReconciliationDays: reconciliationDayList,
  listReconciliationDifferences: reconciliationDifferenceList,
  listWithdrawals: withdrawalList,
  listAgentWithdrawals: agentWithdrawalList,
  listInvoices: invoiceList,
  listDebts: debtList,
  listStartAttempts: startAttemptList,
  listPromotions: promotionList,
  listCoupons: couponList,
  listLedgerTransfers: ledgerTransferList,
  listLedgerAccounts: ledgerAccountList,
  listProofRuns: proofRunList,
  listSettlementPeriods: settlementPeriodList,
  listSettledShares: settledShareList,
  listTotals: totalList,
  listReports: reportList,
  listStatements: statementList,
  listStatementMoves: statementMoveList,
  listHoldingAccounts: holdingAccountList,
  listGridBills: gridBillList,
  listMargins: marginList,
  listCredits: creditList,
  listCreditMovements: creditMovementList,
  listFeedbacks: feedbackList,
  listAdverts: advertList,
  listArticles: articleList,
  listFiles: fileList,
  listApprovals: approvalList,
  listConfigs: configList,
  listTasks: taskList,
  listRehearsalFigures: rehearsalFigureList,
  listPriceChanges: priceChangeList,
  listPriceChangeStations: priceChangeStationList,
  listPartners: partnerList,
  listPartnerMovements: partnerMovementList,
  listPartnerPayments: partnerPaymentList,
  listPartnerDeliveries: partnerDeliveryList,
  listPartnerExchanges: partnerExchangeList,
  listRoamingCharges: roamingChargeList,
  listPartnerCharges: partnerChargeList,
  listPartnerDays: partnerDayList,
  listPartnerPulls: partnerPullList,
  listPulledSites: pulledSiteList,
  listPulledStations: pulledStationList,
  listPulledPorts: pulledPortList,
  listExposedSites: exposedSiteList,
  listExposedStations: exposedStationList,
  listExposedPorts: exposedPortList,
  listTaskRows: taskRowList,
};

/** The source of a list's export. */
export function fileSource(list: ListName): FileSource {
  const source = listSources[list];
  return 'filtered' in source ? fileSourceOf(source) : source;
}
