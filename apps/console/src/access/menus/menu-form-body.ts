import type { Menu } from '@voltdeck/contract/menus';

/** A new menu comes after its siblings, in steps of ten like the built-in ones. */
export function newMenu(menus: readonly Menu[], parent: Menu | null) {
  const siblings = menus.filter(({ parentCode }) => parentCode === (parent?.code ?? null));
  const last = Math.max(0, ...siblings.map(({ sort }) => sort));
  return {
    ...(parent === null ? {} : { parentCode: parent.code }),
    kind: 'menu',
    sort: last + 10,
    shown: true,
    enabled: true,
  } as const;
}

/** The body that changes a menu: without its code, which never changes, and without what only the server sets. */
export function bodyOf({ code: _, permission: __, builtIn: ___, ...body }: Menu) {
  return body;
}
