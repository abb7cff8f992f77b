import type { MenuEntry } from '@voltdeck/contract/access';
import { Menu, type MenuProps } from 'antd';
import { memo, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { isLink, trailTo } from '../session/menus.ts';
import { menuIcon } from '../ui/menu-icons.tsx';

type Item = NonNullable<MenuProps['items']>[number];

/** A group of one screen is that screen: a click less, and no list of one. */
function withoutLoneGroups(menus: readonly MenuEntry[]): MenuEntry[] {
  return menus.map((menu) => {
    const [only, ...others] = menu.children;
    const isLone = menu.frontendUrl === null && only !== undefined && others.length === 0 && only.children.length === 0;
    return isLone ? only : { ...menu, children: withoutLoneGroups(menu.children) };
  });
}

function itemOf(menu: MenuEntry): Item {
  const icon = menuIcon(menu.icon);
  if (menu.children.length > 0) {
    return { key: menu.code, icon, label: menu.name, children: menu.children.map(itemOf) };
  }
  return {
    key: menu.frontendUrl ?? menu.code,
    icon,
    title: menu.name,
    label: <MenuLink name={menu.name} address={menu.frontendUrl ?? '/'} />,
  };
}

function MenuLink({ name, address }: { name: string; address: string }) {
  if (!isLink(address)) return <Link to={address}>{name}</Link>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" aria-label={phrase('shell.openMenuLink', { name })}>
      {name}
    </a>
  );
}

type Props = { menus: readonly MenuEntry[]; path: string; isFolded: boolean; onChoose: () => void };

/** The server's menus. `path` is the menu that stays highlighted. */
export const SideMenu = memo(function SideMenu({ menus, path, isFolded, onChoose }: Props) {
  const entries = useMemo(() => withoutLoneGroups(menus), [menus]);
  const items = useMemo(() => entries.map(itemOf), [entries]);
  const trail = trailTo(entries, path);
  const [opened, setOpened] = useState<readonly string[]>(() => openAtFirst(entries, trail));
  const parent = trail.at(-2)?.code;
  const [lastParent, setLastParent] = useState(parent);
  // Whoever comes to a screen by another way than the menu sees where it stands there.
  if (parent !== lastParent) {
    setLastParent(parent);
    if (parent !== undefined && !opened.includes(parent)) setOpened([...opened, parent]);
  }
  return (
    <Menu
      mode="inline"
      inlineIndent={14}
      inlineCollapsed={isFolded}
      items={items}
      selectedKeys={trail.length === 0 ? [] : [path]}
      {...(isFolded ? {} : { openKeys: [...opened] })}
      onOpenChange={(keys) => {
        if (!isFolded) setOpened(keys);
      }}
      onClick={onChoose}
      style={{ border: 0, background: 'none' }}
    />
  );
});

/** With more entries than this, opening every group would hide what is searched below the window's edge. */
const openEntriesMax = 30;

function openAtFirst(menus: readonly MenuEntry[], trail: readonly MenuEntry[]): readonly string[] {
  const groups = menus.filter((menu) => menu.children.length > 0);
  const entries = menus.length + groups.reduce((sum, group) => sum + group.children.length, 0);
  const isFew = entries <= openEntriesMax;
  return (isFew ? groups : groups.filter((group) => trail.includes(group))).map((group) => group.code);
}
