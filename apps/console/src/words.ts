import type { Language } from '@voltdeck/contract/languages';
import { language } from './language.ts';
import { learnPhrases, type Texts } from './phrases.ts';

/** Loads a file of phrases, which exports them under one name. */
type Load = () => Promise<Readonly<Record<string, Texts>>>;

/** The phrases of some screens only: a chunk each, fetched with the first screen that names it. */
const words = {
  abnormalOrders: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/abnormal-orders'),
    en: () => import('@voltdeck/phrases/en/abnormal-orders'),
  },
  agentWithdrawals: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/agent-withdrawals'),
    en: () => import('@voltdeck/phrases/en/agent-withdrawals'),
  },
  agents: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/agents'),
    en: () => import('@voltdeck/phrases/en/agents'),
  },
  approvals: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/approvals'),
    en: () => import('@voltdeck/phrases/en/approvals'),
  },
  audit: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/audit'),
    en: () => import('@voltdeck/phrases/en/audit'),
  },
  books: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/books'),
    en: () => import('@voltdeck/phrases/en/books'),
  },
  cards: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/cards'),
    en: () => import('@voltdeck/phrases/en/cards'),
  },
  content: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/content'),
    en: () => import('@voltdeck/phrases/en/content'),
  },
  coupons: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/coupons'),
    en: () => import('@voltdeck/phrases/en/coupons'),
  },
  settlements: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/settlements'),
    en: () => import('@voltdeck/phrases/en/settlements'),
  },
  credit: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/credit'),
    en: () => import('@voltdeck/phrases/en/credit'),
  },
  customers: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/customers'),
    en: () => import('@voltdeck/phrases/en/customers'),
  },
  quality: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/quality'),
    en: () => import('@voltdeck/phrases/en/quality'),
  },
  debts: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/debts'),
    en: () => import('@voltdeck/phrases/en/debts'),
  },
  dividerIncome: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/divider-income'),
    en: () => import('@voltdeck/phrases/en/divider-income'),
  },
  dividers: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/dividers'),
    en: () => import('@voltdeck/phrases/en/dividers'),
  },
  logs: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/logs'),
    en: () => import('@voltdeck/phrases/en/logs'),
  },
  menuList: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/menu-list'),
    en: () => import('@voltdeck/phrases/en/menu-list'),
  },
  ocpp: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/ocpp'),
    en: () => import('@voltdeck/phrases/en/ocpp'),
  },
  order: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/order'),
    en: () => import('@voltdeck/phrases/en/order'),
  },
  orderRefunds: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/order-refunds'),
    en: () => import('@voltdeck/phrases/en/order-refunds'),
  },
  orders: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/orders'),
    en: () => import('@voltdeck/phrases/en/orders'),
  },
  overview: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/overview'),
    en: () => import('@voltdeck/phrases/en/overview'),
  },
  forecast: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/forecast'),
    en: () => import('@voltdeck/phrases/en/forecast'),
  },
  screen: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/screen'),
    en: () => import('@voltdeck/phrases/en/screen'),
  },
  finance: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/finance'),
    en: () => import('@voltdeck/phrases/en/finance'),
  },
  invoices: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/invoices'),
    en: () => import('@voltdeck/phrases/en/invoices'),
  },
  withdrawals: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/withdrawals'),
    en: () => import('@voltdeck/phrases/en/withdrawals'),
  },
  payments: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/payments'),
    en: () => import('@voltdeck/phrases/en/payments'),
  },
  rechargeCodes: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/recharge-codes'),
    en: () => import('@voltdeck/phrases/en/recharge-codes'),
  },
  permissions: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/permissions'),
    en: () => import('@voltdeck/phrases/en/permissions'),
  },
  positions: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/positions'),
    en: () => import('@voltdeck/phrases/en/positions'),
  },
  promotions: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/promotions'),
    en: () => import('@voltdeck/phrases/en/promotions'),
  },
  readings: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/readings'),
    en: () => import('@voltdeck/phrases/en/readings'),
  },
  priceChanges: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/price-changes'),
    en: () => import('@voltdeck/phrases/en/price-changes'),
  },
  reconciliation: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/reconciliation'),
    en: () => import('@voltdeck/phrases/en/reconciliation'),
  },
  reports: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/reports'),
    en: () => import('@voltdeck/phrases/en/reports'),
  },
  rehearsals: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/rehearsals'),
    en: () => import('@voltdeck/phrases/en/rehearsals'),
  },
  search: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/search'),
    en: () => import('@voltdeck/phrases/en/search'),
  },
  settings: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/settings'),
    en: () => import('@voltdeck/phrases/en/settings'),
  },
  shares: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/shares'),
    en: () => import('@voltdeck/phrases/en/shares'),
  },
  shareTerms: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/share-terms'),
    en: () => import('@voltdeck/phrases/en/share-terms'),
  },
  signIns: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/sign-ins'),
    en: () => import('@voltdeck/phrases/en/sign-ins'),
  },
  sites: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/sites'),
    en: () => import('@voltdeck/phrases/en/sites'),
  },
  statistics: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/statistics'),
    en: () => import('@voltdeck/phrases/en/statistics'),
  },
  totals: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/totals'),
    en: () => import('@voltdeck/phrases/en/totals'),
  },
  stationIdentities: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/station-identities'),
    en: () => import('@voltdeck/phrases/en/station-identities'),
  },
  stationImports: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/station-imports'),
    en: () => import('@voltdeck/phrases/en/station-imports'),
  },
  stationPage: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/station-page'),
    en: () => import('@voltdeck/phrases/en/station-page'),
  },
  stations: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/stations'),
    en: () => import('@voltdeck/phrases/en/stations'),
  },
  stories: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/stories'),
    en: () => import('@voltdeck/phrases/en/stories'),
  },
  tariffs: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/tariffs'),
    en: () => import('@voltdeck/phrases/en/tariffs'),
  },
  tasks: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/tasks'),
    en: () => import('@voltdeck/phrases/en/tasks'),
  },
  ports: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/ports'),
    en: () => import('@voltdeck/phrases/en/ports'),
  },
  errors: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/errors'),
    en: () => import('@voltdeck/phrases/en/errors'),
  },
  interop: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/interop'),
    en: () => import('@voltdeck/phrases/en/interop'),
  },
  partnerConnections: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/partner-connections'),
    en: () => import('@voltdeck/phrases/en/partner-connections'),
  },
  partnerSites: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/partner-sites'),
    en: () => import('@voltdeck/phrases/en/partner-sites'),
  },
  groups: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/groups'),
    en: () => import('@voltdeck/phrases/en/groups'),
  },
  labels: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/labels'),
    en: () => import('@voltdeck/phrases/en/labels'),
  },
  portTestRuns: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/port-test-runs'),
    en: () => import('@voltdeck/phrases/en/port-test-runs'),
  },
  transfers: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/transfers'),
    en: () => import('@voltdeck/phrases/en/transfers'),
  },
  users: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/users'),
    en: () => import('@voltdeck/phrases/en/users'),
  },
  vehicles: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/vehicles'),
    en: () => import('@voltdeck/phrases/en/vehicles'),
  },
  ykc: {
    'zh-CN': () => import('@voltdeck/phrases/zh-CN/ykc'),
    en: () => import('@voltdeck/phrases/en/ykc'),
  },
} satisfies Record<string, Record<Language, Load>>;
export type Words = keyof typeof words;

/** For `lazyPart` and the table of pages: a part of the console with the phrases that it uses. */
export function withWords<Loaded>(names: readonly Words[], load: () => Promise<Loaded>): () => Promise<Loaded> {
  return async () => {
    const files = names.map((name): ReturnType<Load> => words[name][language]());
    const [loaded, ...learned] = await Promise.all([load(), ...files]);
    for (const file of learned) Object.values(file).forEach(learnPhrases);
    return loaded;
  };
}
