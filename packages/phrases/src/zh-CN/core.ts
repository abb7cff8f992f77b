import { access } from './access.ts';
import { charging } from './charging.ts';
import { fields } from './fields.ts';
import { list } from './list.ts';
import { menus } from './menus.ts';
import { shell } from './shell.ts';

/** What the frame and every screen may say: a browser has it before the first screen is shown. */
export const core = {
  ...access,
  ...charging,
  ...fields,
  ...list,
  ...menus,
  ...shell,
} as const;
