import type { Phrases } from '../phrase.ts';
import { audit } from './audit.ts';
import { content } from './content.ts';
import { core } from './core.ts';
import { logs } from './logs.ts';
import { menuList } from './menu-list.ts';
import { ocpp } from './ocpp.ts';
import { order } from './order.ts';
import { orders } from './orders.ts';
import { overview } from './overview.ts';
import { positions } from './positions.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { settings } from './settings.ts';
import { signIns } from './sign-ins.ts';
import { stations } from './stations.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';
import { ykc } from './ykc.ts';

/** Every phrase that there is; a browser fetches the core, and the others with the screens that say them. */
export const all: Phrases = {
  ...core,
  ...audit,
  ...content,
  ...logs,
  ...menuList,
  ...ocpp,
  ...order,
  ...orders,
  ...overview,
  ...positions,
  ...search,
  ...server,
  ...settings,
  ...signIns,
  ...stations,
  ...tasks,
  ...users,
  ...ykc,
};
