import { access } from './access.ts';
import { charging } from './charging.ts';
import { content } from './content.ts';
import { errors } from './errors.ts';
import { fields } from './fields.ts';
import { list } from './list.ts';
import { menuList } from './menu-list.ts';
import { menus } from './menus.ts';
import { orders } from './orders.ts';
import { overview } from './overview.ts';
import { positions } from './positions.ts';
import { server } from './server.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIns } from './sign-ins.ts';
import { stations } from './stations.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

/** What any screen may say: a browser has it before the first one is shown. */
export const core = {
  ...access,
  ...list,
  ...menus,
  ...server,
  ...shell,
  ...errors,
  ...fields,
  ...stations,
  ...overview,
  ...orders,
  ...charging,
  ...content,
  ...settings,
  ...signIns,
  ...tasks,
  ...users,
  ...positions,
  ...menuList,
} as const;
