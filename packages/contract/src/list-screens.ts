import { endedOrderStates, liveOrderStates } from '@voltdeck/charging/states';
import type { ListName } from './list.ts';

/** A screen that shows a list under a name of its own, because the list appears on several. */
export type ListScreen = {
  list: ListName;
  /** What is always part of its query, as it stands in the list's address. */
  fixed: Readonly<Record<string, string>>;
};

const live = { state: liveOrderStates.join() };

/**
 * The screens that keep their filters and columns apart, by the name that saved filters carry. A list that has one
 * screen keeps them under its path. Whatever reads a saved filter elsewhere must add what its screen fixes.
 */
export const listScreens = {
  'orders-history': { list: 'listOrders', fixed: { state: endedOrderStates.join() } },
  'orders-real': { list: 'listOrders', fixed: live },
  'orders-waiting': { list: 'listOrders', fixed: live },
  'orders-of-groups': { list: 'listOrders', fixed: { groupOrder: 'true' } },
  'orders-abnormal': { list: 'listAbnormalOrders', fixed: {} },
  'recharges-of-groups': { list: 'listRecharges', fixed: { ofGroup: 'true' } },
  'movements-of-groups': { list: 'listMovements', fixed: { ofGroup: 'true' } },
  readings: { list: 'listReadings', fixed: {} },
  'charge-notes': { list: 'listChargeNotes', fixed: {} },
  platforms: { list: 'listPartners', fixed: {} },
  '/totals#agent': { list: 'listTotals', fixed: { by: 'agent' } },
  '/totals#site': { list: 'listTotals', fixed: { by: 'site' } },
  '/totals#station': { list: 'listTotals', fixed: { by: 'station' } },
  '/totals#day': { list: 'listTotals', fixed: { by: 'day' } },
  '/statements#platform-day': { list: 'listStatements', fixed: { by: 'platform', unit: 'day' } },
  '/statements#platform-month': { list: 'listStatements', fixed: { by: 'platform', unit: 'month' } },
  '/statements#agent-day': { list: 'listStatements', fixed: { by: 'agent', unit: 'day' } },
  '/statements#agent-month': { list: 'listStatements', fixed: { by: 'agent', unit: 'month' } },
  '/statements#site-day': { list: 'listStatements', fixed: { by: 'site', unit: 'day' } },
  '/statements#site-month': { list: 'listStatements', fixed: { by: 'site', unit: 'month' } },
} as const satisfies Readonly<Record<string, ListScreen>>;
export type ListScreenName = keyof typeof listScreens;
