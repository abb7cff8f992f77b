import { type Permission, permissions } from '@voltdeck/contract/permissions';
import { routes } from '@voltdeck/contract/routes';
import {
  type MenuScreen,
  type MenuScreenCode,
  menuScreens,
  type ScreenGroup,
  screenGroups,
} from '@voltdeck/contract/screens';
import type { PhraseKey } from '@voltdeck/phrases/phrase';

/** A menu of the product: a screen or a group of them. */
export type MenuCode = MenuScreenCode | ScreenGroup;

export type ProductMenu = {
  code: string;
  parentCode: MenuCode | null;
  kind: 'menu' | 'button';
  nameKey: PhraseKey;
  frontendUrl: string | null;
  /** The API it opens, for administrators to read. */
  backendUrl: string;
  /** The console's icon name. */
  icon: string | null;
  permission: Permission | null;
  shown: boolean;
};

const permissionNames = Object.keys(permissions) as Permission[];
/** Fits the form field of a menu. */
const addressesLengthMax = 200;

/** The screen whose menu carries a permission: the menu itself for reading, a button of it for everything else. */
function screenOfPermission(name: Permission): MenuScreenCode {
  return permissions[name].screen;
}

/**
 * Every menu and button of this version in tree order: a group comes before its first screen, and a screen's buttons
 * follow it. Screens without a page are included: the console drops what it cannot open. Detail screens have no menu,
 * since they belong to their lists.
 */
export const productMenus: readonly ProductMenu[] = menuScreens.flatMap((screen, index) => {
  const { group } = screen;
  const isFirst = group !== null && menuScreens[index - 1]?.group !== group;
  return [...(isFirst ? [groupMenu(group)] : []), ...withButtons(screen)];
});

function groupMenu(code: ScreenGroup): ProductMenu {
  return {
    code,
    parentCode: null,
    kind: 'menu',
    nameKey: `menu.${code}`,
    frontendUrl: null,
    backendUrl: '',
    icon: screenGroups[code].icon,
    permission: null,
    shown: true,
  };
}

/** Every permission but reading is a button of the screen that it names; its code is the permission. */
function withButtons({ code, path, group, icon, permission, hidden }: MenuScreen): ProductMenu[] {
  const buttons = permissionNames.filter((name) => screenOfPermission(name) === code && !name.endsWith('.read'));
  return [
    {
      code,
      parentCode: group,
      kind: 'menu',
      nameKey: `menu.${code}`,
      frontendUrl: path,
      backendUrl: permission === undefined ? '' : addressesOf(permission),
      icon,
      permission: permission ?? null,
      shown: hidden !== true,
    },
    ...buttons.map(
      (button): ProductMenu => ({
        code: button,
        parentCode: code,
        kind: 'button',
        nameKey: `permission.${button}` as PhraseKey,
        frontendUrl: null,
        backendUrl: addressesOf(button),
        icon: null,
        permission: button,
        shown: true,
      }),
    ),
  ];
}

/** The addresses that a permission opens, as many as fit. */
function addressesOf(permission: Permission): string {
  const paths = [...routes.values()]
    .filter((route) => [route.permission].flat().includes(permission))
    .map(({ path }) => `/api${path}`);
  let text = '';
  for (const path of new Set(paths)) {
    const longer = text === '' ? path : `${text}, ${path}`;
    if (longer.length > addressesLengthMax) break;
    text = longer;
  }
  return text;
}

/** The codes that grant what the permissions say: the buttons, and every screen that a `.read` opens. */
export function codesGranting(granted: readonly Permission[]): string[] {
  const wanted = new Set<Permission | null>(granted);
  return productMenus.filter(({ permission }) => permission !== null && wanted.has(permission)).map(({ code }) => code);
}
