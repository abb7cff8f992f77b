import type { core as chinese } from '../zh-CN/core.ts';
import { access } from './access.ts';
import { charging } from './charging.ts';
import { fields } from './fields.ts';
import { list } from './list.ts';
import { menus } from './menus.ts';
import { shell } from './shell.ts';

/** What the frame and every screen may say: a browser has it before the first screen is shown. */
export const core: Readonly<Record<keyof typeof chinese, string>> = {
  ...access,
  ...charging,
  ...fields,
  ...list,
  ...menus,
  ...shell,
};
