import type { ComponentType } from 'react';
import { type Words, withWords } from './phrases.ts';
import type { BuiltScreen } from './screens-to-come.ts';

export type PageLoad = () => Promise<{ default: ComponentType }>;

/** A page's code, and its phrases beyond those of every screen. */
function page(words: readonly Words[], load: PageLoad): PageLoad {
  return withWords(words, load);
}

/** The page of every built screen. The server's menus decide which of them are reachable. */
export const pages: Readonly<Record<BuiltScreen, PageLoad>> = {
  home: page(['overview', 'orders'], () => import('./overview/HomePage.tsx')),
  deviceList: page(['stations', 'orders'], () => import('./stations/StationListPage.tsx')),
  deviceDetail: page(['stations', 'orders'], () => import('./stations/StationPage.tsx')),
  portList: page(['stations', 'orders'], () => import('./stations/ConnectorListPage.tsx')),
  deviceLogOther: page(['logs', 'ocpp', 'ykc'], () => import('./logs/InteractionLogPage.tsx')),
  orderListReal: page(['orders'], () => import('./orders/RealOrderListPage.tsx')),
  orderListHistory: page(['orders'], () => import('./orders/OrderHistoryPage.tsx')),
  orderListDetailReal: page(['orders', 'order'], () => import('./orders/OrderPage.tsx')),
  orderListDetailHistory: page(['orders', 'order'], () => import('./orders/OrderPage.tsx')),
  feedbackList: page(['content'], () => import('./content/FeedbackListPage.tsx')),
  advertList: page(['content'], () => import('./content/AdvertListPage.tsx')),
  newsList: page(['content'], () => import('./content/ArticleListPage.tsx')),
  fileList: page(['content'], () => import('./content/FileListPage.tsx')),
  configList: page(['settings'], () => import('./settings/ConfigListPage.tsx')),
  role: page(['positions'], () => import('./access/positions/PositionListPage.tsx')),
  user: page(['users'], () => import('./access/users/UserListPage.tsx')),
  menu: page(['menuList'], () => import('./access/menus/MenuListPage.tsx')),
  auditLog: page(['audit', 'tasks'], () => import('./access/audit/AuditLogPage.tsx')),
  signInLog: page(['signIns'], () => import('./access/sign-ins/SignInLogPage.tsx')),
  taskList: page(['tasks'], () => import('./tasks/TaskListPage.tsx')),
};
