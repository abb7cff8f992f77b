import * as access from './access.ts';
import * as agents from './agents.ts';
import * as audit from './audit.ts';
import * as cards from './cards.ts';
import * as content from './content.ts';
import * as customers from './customers.ts';
import * as events from './events.ts';
import * as logs from './logs.ts';
import * as menus from './menus.ts';
import * as orders from './orders.ts';
import * as overview from './overview.ts';
import * as payments from './payments.ts';
import * as positions from './positions.ts';
import * as registration from './registration.ts';
import type { Route } from './route.ts';
import * as search from './search.ts';
import * as settings from './settings.ts';
import * as sites from './sites.ts';
import * as stations from './stations.ts';
import * as tariffs from './tariffs.ts';
import * as tasks from './tasks.ts';
import * as users from './users.ts';
import * as vehicles from './vehicles.ts';

const slices = {
  access,
  agents,
  audit,
  cards,
  content,
  customers,
  events,
  logs,
  menus,
  orders,
  overview,
  payments,
  positions,
  registration,
  search,
  settings,
  sites,
  stations,
  tariffs,
  tasks,
  users,
  vehicles,
};

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'permission' in value;
}

/** Every route of the API by name: what the server must bind and the API description shows. */
export const routes: ReadonlyMap<string, Route> = new Map(
  Object.values(slices).flatMap((slice) =>
    Object.entries(slice as Record<string, unknown>).filter((entry): entry is [string, Route] => isRoute(entry[1])),
  ),
);
