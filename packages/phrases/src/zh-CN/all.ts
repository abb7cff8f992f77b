import { abnormalOrders } from './abnormal-orders.ts';
import { agentWithdrawals } from './agent-withdrawals.ts';
import { agents } from './agents.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { books } from './books.ts';
import { cards } from './cards.ts';
import { chargePage } from './charge-page.ts';
import { content } from './content.ts';
import { core } from './core.ts';
import { coupons } from './coupons.ts';
import { credit } from './credit.ts';
import { customers } from './customers.ts';
import { debts } from './debts.ts';
import { dividerIncome } from './divider-income.ts';
import { dividers } from './dividers.ts';
import { errors } from './errors.ts';
import { finance } from './finance.ts';
import { forecast } from './forecast.ts';
import { groups } from './groups.ts';
import { interop } from './interop.ts';
import { invoiceForm } from './invoice-form.ts';
import { invoices } from './invoices.ts';
import { labels } from './labels.ts';
import { logs } from './logs.ts';
import { menuList } from './menu-list.ts';
import { ocpp } from './ocpp.ts';
import { order } from './order.ts';
import { orderRefunds } from './order-refunds.ts';
import { orders } from './orders.ts';
import { overview } from './overview.ts';
import { partnerConnections } from './partner-connections.ts';
import { partnerSites } from './partner-sites.ts';
import { payments } from './payments.ts';
import { permissions } from './permissions.ts';
import { portTestRuns } from './port-test-runs.ts';
import { ports } from './ports.ts';
import { positions } from './positions.ts';
import { priceChanges } from './price-changes.ts';
import { promotions } from './promotions.ts';
import { quality } from './quality.ts';
import { readings } from './readings.ts';
import { rechargeCodes } from './recharge-codes.ts';
import { reconciliation } from './reconciliation.ts';
import { rehearsals } from './rehearsals.ts';
import { reports } from './reports.ts';
import { screen } from './screen.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { settings } from './settings.ts';
import { settlements } from './settlements.ts';
import { shareTerms } from './share-terms.ts';
import { shares } from './shares.ts';
import { signIns } from './sign-ins.ts';
import { sites } from './sites.ts';
import { stationIdentities } from './station-identities.ts';
import { stationImports } from './station-imports.ts';
import { stationPage } from './station-page.ts';
import { stations } from './stations.ts';
import { statistics } from './statistics.ts';
import { stories } from './stories.ts';
import { tariffs } from './tariffs.ts';
import { tasks } from './tasks.ts';
import { tcecBench } from './tcec-bench.ts';
import { totals } from './totals.ts';
import { transfers } from './transfers.ts';
import { users } from './users.ts';
import { vehicles } from './vehicles.ts';
import { withdrawals } from './withdrawals.ts';
import { ykc } from './ykc.ts';

/** Every phrase that there is; a browser fetches the core, and the others with the screens that say them. */
export const all = {
  ...core,
  ...abnormalOrders,
  ...agentWithdrawals,
  ...agents,
  ...approvals,
  ...audit,
  ...books,
  ...cards,
  ...chargePage,
  ...content,
  ...coupons,
  ...credit,
  ...customers,
  ...debts,
  ...dividerIncome,
  ...dividers,
  ...errors,
  ...finance,
  ...forecast,
  ...statistics,
  ...totals,
  ...logs,
  ...menuList,
  ...ocpp,
  ...order,
  ...orders,
  ...orderRefunds,
  ...labels,
  ...overview,
  ...payments,
  ...promotions,
  ...quality,
  ...portTestRuns,
  ...permissions,
  ...ports,
  ...positions,
  ...priceChanges,
  ...rechargeCodes,
  ...reconciliation,
  ...rehearsals,
  ...reports,
  ...readings,
  ...screen,
  ...search,
  ...server,
  ...settings,
  ...settlements,
  ...shareTerms,
  ...shares,
  ...signIns,
  ...sites,
  ...stationIdentities,
  ...stationImports,
  ...stationPage,
  ...stations,
  ...stories,
  ...tariffs,
  ...tasks,
  ...tcecBench,
  ...transfers,
  ...users,
  ...vehicles,
  ...ykc,
  ...groups,
  ...invoiceForm,
  ...interop,
  ...partnerConnections,
  ...partnerSites,
  ...invoices,
  ...withdrawals,
} as const;
