import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { knowPages } from './known-pages.ts';
import { type PhraseKey, withLogPhrases, withOrderPhrases } from './phrases.ts';

export type PageEntry = {
  page: LazyExoticComponent<ComponentType>;
  /** For pages without a menu; the others are called what the server's menu calls them. */
  titleKey?: PhraseKey;
  /** Not kept alive between visits. */
  noCache?: boolean;
  /** A page without a menu of its own: reachable where its parent is, which stays highlighted. */
  parent?: string;
  /** This parameter makes another tab: two orders may be open beside each other. */
  tabBy?: string;
};

/** Every page by its frontendUrl. The server's menus decide which of them are reachable. */
export const pages: Readonly<Record<string, PageEntry>> = {
  '/home': { page: lazy(() => import('./overview/HomePage.tsx')) },
  '/deviceList': { page: lazy(() => import('./stations/StationListPage.tsx')) },
  '/deviceDetail': {
    page: lazy(() => import('./stations/StationPage.tsx')),
    titleKey: 'shell.stationDetail',
    parent: '/deviceList',
    tabBy: 'id',
  },
  '/portList': { page: lazy(() => import('./stations/ConnectorListPage.tsx')) },
  '/deviceLogOther': { page: lazy(withLogPhrases(() => import('./logs/InteractionLogPage.tsx'))) },
  '/orderListReal': { page: lazy(() => import('./orders/RealOrderListPage.tsx')) },
  '/orderListHistory': {
    page: lazy(() => import('./orders/OrderHistoryPage.tsx')),
  },
  '/orderListDetailReal': {
    page: lazy(withOrderPhrases(() => import('./orders/OrderPage.tsx'))),
    titleKey: 'shell.orderDetail',
    parent: '/orderListReal',
    tabBy: 'id',
  },
  '/orderListDetailHistory': {
    page: lazy(withOrderPhrases(() => import('./orders/OrderPage.tsx'))),
    titleKey: 'shell.orderDetail',
    parent: '/orderListHistory',
    tabBy: 'id',
  },
  '/feedbackList': { page: lazy(() => import('./content/FeedbackListPage.tsx')) },
  '/advertList': { page: lazy(() => import('./content/AdvertListPage.tsx')) },
  '/newsList': { page: lazy(() => import('./content/ArticleListPage.tsx')) },
  '/fileList': { page: lazy(() => import('./content/FileListPage.tsx')) },
  '/configList': { page: lazy(() => import('./settings/ConfigListPage.tsx')) },
  '/role': { page: lazy(() => import('./access/positions/PositionListPage.tsx')) },
  '/user': { page: lazy(() => import('./access/users/UserListPage.tsx')) },
  '/menu': { page: lazy(() => import('./access/menus/MenuListPage.tsx')) },
  '/auditLog': { page: lazy(withLogPhrases(() => import('./access/audit/AuditLogPage.tsx'))) },
  '/signInLog': { page: lazy(() => import('./access/sign-ins/SignInLogPage.tsx')) },
  '/taskList': { page: lazy(() => import('./tasks/TaskListPage.tsx')) },
};
knowPages(Object.keys(pages));

/** Pinned in the tab bar. */
export const homePath = '/home';
