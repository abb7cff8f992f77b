import type { Menu, MenuKind } from '@voltdeck/contract/menus';

export type MenuValues = {
  parentCode?: string;
  kind: MenuKind;
  code: string;
  nameZh: string;
  nameEn: string;
  frontendUrl?: string;
  backendUrl?: string;
  icon?: string;
  sort: number;
  shown: boolean;
  enabled: boolean;
};

/** A new menu stands behind its siblings: tens apart, as the product's own. */
export function newMenu(menus: readonly Menu[], parent: Menu | null): Partial<MenuValues> {
  const siblings = menus.filter(({ parentCode }) => parentCode === (parent?.code ?? null));
  const last = Math.max(0, ...siblings.map(({ sort }) => sort));
  return {
    ...(parent === null ? {} : { parentCode: parent.code }),
    kind: 'menu',
    sort: last + 10,
    shown: true,
    enabled: true,
  };
}

export function valuesOf(menu: Menu): MenuValues {
  const { parentCode, frontendUrl, icon, kind, code, nameZh, nameEn, backendUrl, sort, shown, enabled } = menu;
  return {
    ...(parentCode === null ? {} : { parentCode }),
    ...(frontendUrl === null ? {} : { frontendUrl }),
    ...(icon === null ? {} : { icon }),
    kind,
    code,
    nameZh,
    nameEn,
    backendUrl,
    sort,
    shown,
    enabled,
  };
}

/** The form as the server takes it, without the code: that one never changes. A button has neither route nor icon. */
export function bodyOf(values: Omit<MenuValues, 'code'>) {
  const isButton = values.kind === 'button';
  return {
    parentCode: values.parentCode ?? null,
    kind: values.kind,
    nameZh: values.nameZh.trim(),
    nameEn: values.nameEn.trim(),
    frontendUrl: isButton ? null : values.frontendUrl?.trim() || null,
    backendUrl: values.backendUrl?.trim() ?? '',
    icon: isButton ? null : values.icon?.trim() || null,
    sort: values.sort,
    shown: values.shown,
    enabled: values.enabled,
  };
}
