import type { MenuEntry } from '@voltdeck/contract/access';
import { Menu, type MenuProps } from 'antd';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { addressesOf, isLink, trailTo } from '../session/menus.ts';
import { menuIcon } from '../ui/menu-icons.tsx';
import { useMenuPath } from './frame-place.ts';
import styles from './side-menu.module.css';

type Item = NonNullable<MenuProps['items']>[number];

/** A group with one screen becomes that screen: one click less. */
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
    const label = <GroupName name={menu.name} paths={addressesOf(menu.children)} />;
    return { key: menu.code, icon, label, children: menu.children.map(itemOf) };
  }
  return {
    key: menu.frontendUrl ?? menu.code,
    icon,
    title: menu.name,
    label: <MenuLink name={menu.name} address={menu.frontendUrl ?? '/'} />,
  };
}

/** Marks the entry of the current page; antd's own selection would render every entry. */
function MenuLink({ name, address }: { name: string; address: string }) {
  const isHere = useMenuPath(({ menuPath }) => menuPath === address);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere]);
  if (!isLink(address)) {
    return (
      <Link
        ref={link}
        to={address}
        aria-current={isHere ? 'true' : undefined}
        onClick={(event) => {
          // Navigating to the current page would only add a history entry.
          if (location.pathname + location.search === address && !event.ctrlKey && !event.metaKey)
            event.preventDefault();
        }}
      >
        {name}
      </Link>
    );
  }
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" aria-label={phrase('shell.openMenuLink', { name })}>
      {name}
    </a>
  );
}

function GroupName({ name, paths }: { name: string; paths: readonly string[] }) {
  const isHere = useMenuPath(({ menuPath }) => paths.includes(menuPath));
  return <span data-here={isHere ? '' : undefined}>{name}</span>;
}

type Props = { menus: readonly MenuEntry[]; isFolded: boolean; onChoose: () => void };

/** The server's menus, with the entry of the current page marked. */
export const SideMenu = memo(function SideMenu({ menus, isFolded, onChoose }: Props) {
  const entries = useMemo(() => withoutLoneGroups(menus), [menus]);
  const items = useMemo(() => entries.map(itemOf), [entries]);
  const [opened, setOpened] = useState<readonly string[]>(() => groupsOf(entries));
  useEffect(() => {
    // Opening a page by another way than the menu also expands its group.
    const open = ({ menuPath }: { menuPath: string }) => {
      const group = trailTo(entries, menuPath).at(-2)?.code;
      if (group !== undefined) setOpened((known) => (known.includes(group) ? known : [...known, group]));
    };
    open(useMenuPath.getState());
    return useMenuPath.subscribe(open);
  }, [entries]);
  return (
    <Menu
      className={styles.entries ?? ''}
      mode="inline"
      inlineIndent={8}
      inlineCollapsed={isFolded}
      items={items}
      selectedKeys={noKeys}
      {...(isFolded ? {} : { openKeys: [...opened] })}
      onOpenChange={(keys) => {
        if (!isFolded) setOpened(keys);
      }}
      onClick={onChoose}
      style={{ border: 0, background: 'none' }}
    />
  );
});

const noKeys: string[] = [];

/** All of them: every screen is one click away, however many there are. */
const groupsOf = (menus: readonly MenuEntry[]): readonly string[] =>
  menus.filter((menu) => menu.children.length > 0).map((menu) => menu.code);
