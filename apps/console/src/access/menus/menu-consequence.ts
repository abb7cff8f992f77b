import type { Menu } from '@voltdeck/contract/menus';
import { listPositions } from '@voltdeck/contract/positions';
import { call } from '../../api/call.ts';
import { phrase } from '../../phrases.ts';
import { branchOf } from './menu-rows.ts';

/** At most this many positions are fetched; beyond that the sentence says "at least". */
const positionsMax = 100;

/**
 * Who is affected when a menu is hidden or disabled, as a sentence with numbers. Counts only positions that the caller
 * may see.
 */
export async function consequenceOf(
  menu: Menu,
  menus: readonly Menu[],
  what: 'hide' | 'disable',
  mayReadPositions: boolean,
): Promise<string> {
  const branch = branchOf(menus, menu.code);
  // Buttons do not appear in the sidebar.
  const below = branch.filter(({ code, kind }) => code !== menu.code && (what === 'disable' || kind === 'menu')).length;
  const sentence = phrase(what === 'hide' ? 'menu-list.hideDetails' : 'menu-list.disableDetails');
  const belowText = below === 0 ? '' : phrase('menu-list.withBelow', { count: below });
  if (!mayReadPositions) return [sentence, belowText].join('');
  const codes = new Set(branch.map(({ code }) => code));
  const { items, total } = await call(listPositions, { query: { pageSize: positionsMax } });
  const touched = items.filter(({ menuCodes }) => menuCodes.some((code) => codes.has(code)));
  const counts = { positions: touched.length, users: touched.reduce((sum, { users }) => sum + users, 0) };
  const touches = phrase((total ?? 0) > items.length ? 'menu-list.touchesAtLeast' : 'menu-list.touches', counts);
  return [sentence, belowText, touches].join('');
}
