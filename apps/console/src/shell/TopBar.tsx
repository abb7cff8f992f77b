import {
  ColumnHeightOutlined,
  DesktopOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  GlobalOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  SearchOutlined,
  SettingOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { getConfigByKey } from '@voltdeck/contract/access';
import { Button, Dropdown, type MenuProps, Tooltip } from 'antd';
import { memo, type ReactElement, Suspense } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { readToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { useMobile, useNarrow } from '../ui/use-narrow.ts';
import { Crumbs } from './Crumbs.tsx';
import { chooseAppearance, usePreferences } from './preferences.ts';
import { screenAddress, screenConfigKey } from './screen-address.ts';
import styles from './top-bar.module.css';
import { languageItems, sizeItems } from './top-bar-menus.tsx';
import { useFullscreen } from './use-fullscreen.ts';

const ApprovalBell = lazyPart(() => import('./ApprovalBell.tsx'));
const TaskBell = lazyPart(() => import('./TaskBell.tsx'));

type Props = {
  isSidebarOpen: boolean;
  hasTasks: boolean;
  onToggleSidebar: () => void;
  onSearch: () => void;
  onSettings: () => void;
  onProfile: () => void;
  onChangePassword: () => void;
  onSignOutElsewhere: () => void;
  onLogout: () => void;
};

/** Below 992 px only the most used buttons remain; the account menu has the rest. */
export const TopBar = memo(function TopBar(props: Props) {
  const { isSidebarOpen, hasTasks } = props;
  const isNarrow = useNarrow();
  const isMobile = useMobile();
  const { size, appearance, layout } = usePreferences();
  const { isFull, toggle: toggleFullscreen } = useFullscreen();
  const openScreen = useOpenScreen();
  const go = useGo();
  const mayGo = useMayGo();
  const can = useCan();
  const seesScreen = can('overview.read');
  const nextAppearance = appearance === 'dark' ? 'light' : 'dark';
  const fullscreenLabel = phrase(isFull ? 'shell.leaveFullscreen' : 'shell.fullscreen');
  const appearanceLabel = phrase(nextAppearance === 'dark' ? 'shell.dark' : 'shell.light');

  const settingsItem = { key: 'settings', label: phrase('shell.settings'), onClick: props.onSettings };
  const folded: NonNullable<MenuProps['items']> = [
    ...(seesScreen ? [{ key: 'screen', label: phrase('shell.screen'), onClick: openScreen }] : []),
    { key: 'fullscreen', label: fullscreenLabel, onClick: () => void toggleFullscreen() },
    { key: 'appearance', label: appearanceLabel, onClick: () => chooseAppearance(nextAppearance) },
    settingsItem,
    { type: 'group', key: 'size', label: phrase('shell.size'), children: sizeItems(size) },
    { type: 'group', key: 'language', label: phrase('shell.language'), children: languageItems() },
    { type: 'divider' },
  ];
  const accountItems: NonNullable<MenuProps['items']> = [
    ...(isMobile ? folded : layout.showSettings ? [] : [settingsItem]),
    ...(mayGo('home')
      ? [{ key: 'first-steps', label: phrase('shell.firstSteps'), onClick: () => go('home', { steps: true }) }]
      : []),
    { key: 'profile', label: phrase('shell.profile'), onClick: props.onProfile },
    { key: 'password', label: phrase('shell.changePassword'), onClick: props.onChangePassword },
    { key: 'elsewhere', label: phrase('shell.signOutElsewhere'), onClick: props.onSignOutElsewhere },
    { type: 'divider' },
    { key: 'logout', label: phrase('shell.logout'), onClick: props.onLogout },
  ];

  return (
    <header className={styles.bar}>
      <IconButton
        label={phrase(isSidebarOpen ? 'shell.closeSidebar' : 'shell.openSidebar')}
        icon={isSidebarOpen && !isMobile ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
        isExpanded={isSidebarOpen}
        onClick={props.onToggleSidebar}
      />
      <Crumbs isNarrow={isNarrow} />
      <div className={styles.tools}>
        {isMobile ? (
          <IconButton label={phrase('shell.search')} icon={<SearchOutlined />} onClick={props.onSearch} />
        ) : (
          <>
            <button type="button" className={styles.search} aria-keyshortcuts="Control+K" onClick={props.onSearch}>
              <SearchOutlined />
              <span className={styles.searchWord}>{phrase('shell.search')}</span>
              <span className={styles.shortcut} aria-hidden="true">
                {phrase('shell.searchShortcut')}
              </span>
            </button>
            {seesScreen ? (
              <IconButton label={phrase('shell.screen')} icon={<DesktopOutlined />} onClick={openScreen} />
            ) : null}
            <IconButton
              label={fullscreenLabel}
              icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
              onClick={() => void toggleFullscreen()}
            />
            <MenuButton label={phrase('shell.size')} icon={<ColumnHeightOutlined />} items={sizeItems(size)} />
            <IconButton
              label={appearanceLabel}
              icon={appearance === 'dark' ? <SunOutlined /> : <MoonOutlined />}
              onClick={() => chooseAppearance(nextAppearance)}
            />
            <MenuButton label={phrase('shell.language')} icon={<GlobalOutlined />} items={languageItems()} />
          </>
        )}
        {can('approval.decide') && mayGo('approvalList') ? (
          <Suspense fallback={<span className={styles.bellPlace} />}>
            <ApprovalBell />
          </Suspense>
        ) : null}
        {hasTasks ? (
          <Suspense fallback={<span className={styles.bellPlace} />}>
            <TaskBell />
          </Suspense>
        ) : null}
        {!isMobile && layout.showSettings ? (
          <IconButton label={phrase('shell.settings')} icon={<SettingOutlined />} onClick={props.onSettings} />
        ) : null}
        <AccountMenu items={accountItems} isNarrow={isNarrow} />
      </div>
    </header>
  );
});

/** Opens the big-data screen at its configured address. */
function useOpenScreen(): () => void {
  const configured = useAnswer(
    getConfigByKey,
    { query: { configKey: screenConfigKey }, quiet: true },
    { staleMs: Number.POSITIVE_INFINITY },
  );
  return () => {
    window.open(screenAddress(configured.data, location.origin, readToken()), '_blank', 'noopener,noreferrer');
  };
}

function AccountMenu({ items, isNarrow }: { items: NonNullable<MenuProps['items']>; isNarrow: boolean }) {
  const { user } = useSession();
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, className: styles.account ?? '' }}>
      <Button type="text" className={styles.user ?? ''} aria-label={`${phrase('shell.account')} ${user.name}`}>
        <span className={styles.avatar}>
          {user.avatar === null ? <UserOutlined /> : <img src={user.avatar} alt="" width="24" height="24" />}
        </span>
        {isNarrow ? null : <span className={styles.name}>{user.name}</span>}
      </Button>
    </Dropdown>
  );
}

type MenuButtonProps = { label: string; icon: ReactElement; items: NonNullable<MenuProps['items']> };

function MenuButton({ label, icon, items }: MenuButtonProps) {
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button type="text" icon={icon} aria-label={label} title={label} />
    </Dropdown>
  );
}

type IconButtonProps = { label: string; icon: ReactElement; onClick: () => void; isExpanded?: boolean };

function IconButton({ label, icon, onClick, isExpanded }: IconButtonProps) {
  return (
    <Tooltip title={label} mouseEnterDelay={0.5}>
      <Button
        type="text"
        icon={icon}
        aria-label={label}
        onClick={onClick}
        {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      />
    </Tooltip>
  );
}
