import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { hasNetwork, untilServed } from './api/network.ts';
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

type Load = () => Promise<{ default: ComponentType }>;

/**
 * A page whose code could not be fetched for want of a network comes when the network does: by loading the console
 * again, because browsers do not ask twice for a module. Open tabs and drafts outlive that.
 */
function page(load: Load): PageEntry['page'] {
  return lazy(() => {
    const beganWithNetwork = hasNetwork();
    return load().catch(async (failure) => {
      if (beganWithNetwork && hasNetwork()) throw failure;
      await untilServed();
      location.reload();
      return new Promise<never>(() => {});
    });
  });
}

/** Every page by its frontendUrl. The server's menus decide which of them are reachable. */
export const pages: Readonly<Record<string, PageEntry>> = {
  '/home': { page: page(() => import('./overview/HomePage.tsx')) },
  '/deviceList': { page: page(() => import('./stations/StationListPage.tsx')) },
  '/deviceDetail': {
    page: page(() => import('./stations/StationPage.tsx')),
    titleKey: 'shell.stationDetail',
    parent: '/deviceList',
    tabBy: 'id',
  },
  '/portList': { page: page(() => import('./stations/ConnectorListPage.tsx')) },
  '/deviceLogOther': { page: page(withLogPhrases(() => import('./logs/InteractionLogPage.tsx'))) },
  '/orderListReal': { page: page(() => import('./orders/RealOrderListPage.tsx')) },
  '/orderListHistory': {
    page: page(() => import('./orders/OrderHistoryPage.tsx')),
  },
  '/orderListDetailReal': {
    page: page(withOrderPhrases(() => import('./orders/OrderPage.tsx'))),
    titleKey: 'shell.orderDetail',
    parent: '/orderListReal',
    tabBy: 'id',
  },
  '/orderListDetailHistory': {
    page: page(withOrderPhrases(() => import('./orders/OrderPage.tsx'))),
    titleKey: 'shell.orderDetail',
    parent: '/orderListHistory',
    tabBy: 'id',
  },
  '/feedbackList': { page: page(() => import('./content/FeedbackListPage.tsx')) },
  '/advertList': { page: page(() => import('./content/AdvertListPage.tsx')) },
  '/newsList': { page: page(() => import('./content/ArticleListPage.tsx')) },
  '/fileList': { page: page(() => import('./content/FileListPage.tsx')) },
  '/configList': { page: page(() => import('./settings/ConfigListPage.tsx')) },
  '/role': { page: page(() => import('./access/positions/PositionListPage.tsx')) },
  '/user': { page: page(() => import('./access/users/UserListPage.tsx')) },
  '/menu': { page: page(() => import('./access/menus/MenuListPage.tsx')) },
  '/auditLog': { page: page(withLogPhrases(() => import('./access/audit/AuditLogPage.tsx'))) },
  '/signInLog': { page: page(() => import('./access/sign-ins/SignInLogPage.tsx')) },
  '/taskList': { page: page(() => import('./tasks/TaskListPage.tsx')) },
};
knowPages(Object.keys(pages));

/** Pinned in the tab bar. */
export const homePath = '/home';
