import { CloseOutlined, DownOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { phrase } from '../phrases.ts';
import { isPressed } from '../ui/keys.ts';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { useFramePlace } from './frame-place.ts';
import styles from './tab-bar.module.css';
import { setTabs } from './tab-store.ts';
import {
  addressOfTab,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  closeTabsToTheRight,
  neighbourOf,
  refreshTab,
  type Tab,
} from './tabs.ts';
import { useTitleOf } from './use-title-of.ts';

/** The open pages as links, so that they can open in a new window; arrow keys move between them and Delete closes. */
export const TabBar = memo(function TabBar() {
  const { tabs, activeKey, historyKey } = useFramePlace();
  const titleOf = useTitleOf();
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector(`[data-key="${CSS.escape(activeKey)}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeKey]);
  useEffect(() => {
    const bar = list.current;
    if (bar === null) return;
    // The wheel scrolls the bar sideways.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaX !== 0 || bar.scrollWidth <= bar.clientWidth) return;
      event.preventDefault();
      bar.scrollLeft += event.deltaY;
    };
    bar.addEventListener('wheel', onWheel, { passive: false });
    return () => bar.removeEventListener('wheel', onWheel);
  }, []);

  const close = (tab: Tab) => {
    if (tab.isAffixed) return;
    if (tab.key !== activeKey) {
      setTabs((all) => closeTab(all, tab.key));
      return;
    }
    const next = neighbourOf(tabs, tab.key);
    setTabs((all) => closeTab(all, tab.key), historyKey);
    navigate(next === undefined ? '/' : addressOfTab(next));
  };
  const act = (tab: Tab, action: string) => {
    switch (action) {
      case 'refresh':
        setTabs((all) => refreshTab(all, tab.key));
        if (tab.key !== activeKey) navigate(addressOfTab(tab));
        return;
      case 'close':
        close(tab);
        return;
      case 'others':
        setTabs((all) => closeOtherTabs(all, tab.key), tab.key === activeKey ? null : historyKey);
        if (tab.key !== activeKey) navigate(addressOfTab(tab));
        return;
      case 'right': {
        const left = closeTabsToTheRight(tabs, tab.key);
        const isActiveLeft = left.some(({ key }) => key === activeKey);
        setTabs(() => left, isActiveLeft ? null : historyKey);
        if (!isActiveLeft) navigate(addressOfTab(tab));
        return;
      }
      case 'all': {
        const left = closeAllTabs(tabs);
        setTabs(() => left, historyKey);
        const first = left[0];
        navigate(first === undefined ? '/' : addressOfTab(first));
      }
    }
  };
  const menuOf = (tab: Tab) => ({
    items: [
      { key: 'refresh', label: phrase('shell.refreshTab') },
      { key: 'close', label: phrase('shell.closeTab'), disabled: tab.isAffixed },
      {
        key: 'others',
        label: phrase('shell.closeOthers'),
        disabled: closeOtherTabs(tabs, tab.key).length === tabs.length,
      },
      {
        key: 'right',
        label: phrase('shell.closeRight'),
        disabled: closeTabsToTheRight(tabs, tab.key).length === tabs.length,
      },
      { key: 'all', label: phrase('shell.closeAll'), disabled: closeAllTabs(tabs).length === tabs.length },
    ],
    onClick: ({ key }: { key: string }) => act(tab, key),
  });
  const active = tabs.find((tab) => tab.key === activeKey);
  useOfferedActs(
    active === undefined
      ? []
      : menuOf(active)
          .items.filter((item) => item.disabled !== true)
          .map(({ key, label }) => ({
            key: `tab.${key}`,
            label,
            on: phrase('shell.tabMenu'),
            onClick: () => act(active, key),
          })),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, tab: Tab) => {
    if (isPressed(event, 'closeTab')) {
      event.preventDefault();
      close(tab);
      return;
    }
    if (!isPressed(event, 'alongTabs')) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const index = links.indexOf(event.currentTarget as HTMLAnchorElement);
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: links.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    links[(target + links.length) % links.length]?.focus();
  };

  return (
    <nav className={styles.bar} aria-label={phrase('shell.tabs')}>
      <ul ref={list} className={styles.list}>
        {tabs.map((tab) => {
          const title = titleOf(tab);
          const isActive = tab.key === activeKey;
          return (
            <Dropdown key={tab.key} trigger={['contextMenu']} menu={menuOf(tab)}>
              <li className={styles.tab} data-active={isActive} data-key={tab.key}>
                <Link
                  to={addressOfTab(tab)}
                  className={styles.link}
                  aria-current={isActive ? 'page' : undefined}
                  onKeyDown={(event) => onKeyDown(event, tab)}
                  onAuxClick={(event) => {
                    if (event.button !== 1 || tab.isAffixed) return;
                    event.preventDefault();
                    close(tab);
                  }}
                >
                  {title}
                </Link>
                {tab.isAffixed ? null : (
                  <button
                    type="button"
                    className={styles.close}
                    aria-label={phrase('shell.closeTabNamed', { title })}
                    onClick={() => close(tab)}
                  >
                    <CloseOutlined />
                  </button>
                )}
              </li>
            </Dropdown>
          );
        })}
      </ul>
      {active === undefined ? null : (
        <Dropdown trigger={['click']} placement="bottomRight" menu={menuOf(active)}>
          <Button type="text" size="small" icon={<DownOutlined />} aria-label={phrase('shell.tabMenu')} />
        </Dropdown>
      )}
    </nav>
  );
});
