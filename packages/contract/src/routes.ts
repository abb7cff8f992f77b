import * as abnormalOrders from './abnormal-orders.ts';
import * as access from './access.ts';
import * as adverts from './adverts.ts';
import * as agentWithdrawals from './agent-withdrawals.ts';
import * as agents from './agents.ts';
import * as approvals from './approval-records.ts';
import * as articles from './articles.ts';
import * as audit from './audit.ts';
import * as bigScreen from './big-screen.ts';
import * as books from './books.ts';
import * as cardImports from './card-imports.ts';
import * as cardStations from './card-stations.ts';
import * as cardUses from './card-uses.ts';
import * as cards from './cards.ts';
import * as channelPayments from './channel-payments.ts';
import * as connectionTests from './connection-tests.ts';
import * as connectors from './connectors.ts';
import * as coupons from './coupons.ts';
import * as credit from './credit.ts';
import * as customers from './customers.ts';
import * as debts from './debts.ts';
import * as dividerIncome from './divider-income.ts';
import * as dividers from './dividers.ts';
import * as events from './events.ts';
import * as exposedSites from './exposed-sites.ts';
import * as feedbacks from './feedbacks.ts';
import * as files from './files.ts';
import * as firstSteps from './first-steps.ts';
import * as gridBillImports from './grid-bill-imports.ts';
import * as gridBills from './grid-bills.ts';
import * as groupMemberImports from './group-member-imports.ts';
import * as groupMembers from './group-members.ts';
import * as groups from './groups.ts';
import * as holdings from './holdings.ts';
import * as invoices from './invoices.ts';
import type { ListRoute } from './list.ts';
import * as logs from './logs.ts';
import * as menus from './menus.ts';
import * as movements from './movements.ts';
import * as orderRefunds from './order-refunds.ts';
import * as orders from './orders.ts';
import * as overview from './overview.ts';
import * as own from './own.ts';
import * as ownRoaming from './own-roaming.ts';
import * as partnerDeliveries from './partner-deliveries.ts';
import * as partnerDeposits from './partner-deposits.ts';
import * as partnerPulls from './partner-pulls.ts';
import * as partners from './partners.ts';
import * as payments from './payments.ts';
import * as testRuns from './port-test-runs.ts';
import * as positions from './positions.ts';
import * as priceChanges from './price-changes.ts';
import * as promotions from './promotions.ts';
import * as pulledSites from './pulled-sites.ts';
import * as quality from './quality.ts';
import * as readings from './readings.ts';
import * as rechargeCodes from './recharge-codes.ts';
import * as reconciliation from './reconciliation.ts';
import * as registration from './registration.ts';
import * as rehearsals from './rehearsals.ts';
import * as reports from './reports.ts';
import * as roaming from './roaming.ts';
import type { Route } from './route.ts';
import * as search from './search.ts';
import * as settings from './settings.ts';
import * as settlements from './settlements.ts';
import * as shareTerms from './share-terms.ts';
import * as shares from './shares.ts';
import * as sites from './sites.ts';
import * as statements from './statements.ts';
import * as stationActs from './station-acts.ts';
import * as stationCommands from './station-commands.ts';
import * as stationIdentities from './station-identities.ts';
import * as stationImports from './station-imports.ts';
import * as stations from './stations.ts';
import * as statistics from './statistics.ts';
import * as stopOrders from './stop-order.ts';
import * as stories from './stories.ts';
import * as tariffs from './tariffs.ts';
import * as tasks from './tasks.ts';
import * as totalProofs from './total-proofs.ts';
import * as totals from './totals.ts';
import * as transfers from './transfers.ts';
import * as unknownStations from './unknown-stations.ts';
import * as users from './users.ts';
import * as vehicles from './vehicles.ts';
import * as views from './views.ts';
import * as withdrawals from './withdrawals.ts';

const slices = {
  access,
  agents,
  agentWithdrawals,
  approvals,
  audit,
  bigScreen,
  cardImports,
  cardStations,
  cardUses,
  channelPayments,
  books,
  cards,
  connectionTests,
  connectors,
  exposedSites,
  credit,
  settlements,
  totalProofs,
  adverts,
  articles,
  feedbacks,
  files,
  coupons,
  customers,
  debts,
  dividerIncome,
  dividers,
  events,
  firstSteps,
  gridBillImports,
  gridBills,
  groupMemberImports,
  groupMembers,
  groups,
  holdings,
  invoices,
  logs,
  menus,
  abnormalOrders,
  orderRefunds,
  orders,
  overview,
  movements,
  partnerDeliveries,
  partnerDeposits,
  partnerPulls,
  partners,
  payments,
  withdrawals,
  positions,
  promotions,
  pulledSites,
  quality,
  reports,
  readings,
  rechargeCodes,
  reconciliation,
  registration,
  priceChanges,
  rehearsals,
  roaming,
  search,
  settings,
  shareTerms,
  shares,
  sites,
  statements,
  statistics,
  totals,
  stationActs,
  stationCommands,
  stationIdentities,
  stationImports,
  stations,
  stories,
  stopOrders,
  tariffs,
  tasks,
  testRuns,
  transfers,
  unknownStations,
  users,
  vehicles,
  views,
};

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'permission' in value;
}

function isList(route: Route): route is ListRoute {
  return 'columns' in route;
}

/** A list comes with its totals and its export: `listOrders` with `totalOrders` and `exportOrders`. */
function withItsOwn([name, route]: [string, Route]): [string, Route][] {
  if (!isList(route)) return [[name, route]];
  const noun = name.replace(/^list/, '');
  return [
    [name, route],
    ...(route.totals === null ? [] : [[`total${noun}`, route.totals] as [string, Route]]),
    [`export${noun}`, route.file],
  ];
}

const named = Object.values(slices).flatMap((slice) =>
  Object.entries(slice as Record<string, unknown>).filter((entry): entry is [string, Route] => isRoute(entry[1])),
);

/** Every route of the console's API by name: the server must bind each, and the API description shows it. */
export const routes: ReadonlyMap<string, Route> = new Map(named.flatMap(withItsOwn));

/** Every list by name. */
export const lists: ReadonlyMap<string, ListRoute> = new Map(
  named.filter((entry): entry is [string, ListRoute] => isList(entry[1])),
);

/** Every route of the customers' own API by name, likewise. */
export const customerRoutes: ReadonlyMap<string, Route> = new Map(
  Object.entries({ ...own, ...ownRoaming } as Record<string, unknown>).filter((entry): entry is [string, Route] =>
    isRoute(entry[1]),
  ),
);

export const allRoutes: ReadonlyMap<string, Route> = new Map([...routes, ...customerRoutes]);
