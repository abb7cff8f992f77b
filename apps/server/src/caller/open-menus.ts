import { type Permission, permissions } from '@voltdeck/contract/permissions';

/** The fields of a menu that decide about rights. */
export type MenuNode = {
  code: string;
  parentCode: string | null;
  enabled: boolean;
  permission: string | null;
};

/** The enabled menus whose parents are all enabled, by code. */
export function openMenus<Node extends MenuNode>(menus: readonly Node[]): Map<string, Node> {
  const open = new Map<string, Node>();
  const below = Map.groupBy(menus, ({ parentCode }) => parentCode);
  let level = below.get(null) ?? [];
  while (level.length > 0) {
    const enabled = level.filter((menu) => menu.enabled);
    for (const menu of enabled) open.set(menu.code, menu);
    level = enabled.flatMap(({ code }) => below.get(code) ?? []);
  }
  return open;
}

/**
 * The permissions of those granted menus and buttons that are open. A button does not grant its menu, nor a menu its
 * buttons.
 */
export function permissionsOf(open: ReadonlyMap<string, MenuNode>, codes: Iterable<string>): Set<Permission> {
  const allowed = new Set<Permission>();
  for (const code of codes) {
    const permission = open.get(code)?.permission ?? null;
    if (permission !== null && isPermission(permission)) allowed.add(permission);
  }
  return allowed;
}

function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissions, text);
}
