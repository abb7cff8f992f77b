/** Rooms at the same level. Each is a folder of an app's `src`, or a file beside the folders. */
export type Floor = { floor: string; rooms: readonly string[] };

/** Which room may use which files of another one on its floor, and why. Paths are relative to the app's `src`. */
export type Meeting = { app: string; from: string; files: readonly string[]; because: string };

/** The slices have the same name in each app; one without a screen or without a server has no room there. */
const slices = [
  'access',
  'agents',
  'cards',
  'content',
  'customers',
  'logs',
  'orders',
  'overview',
  'payments',
  'settings',
  'sites',
  'stations',
  'tariffs',
  'views',
];

/**
 * The floors of each app, highest first. Imports lead down; rooms on one floor meet only by `meetings`, and otherwise
 * communicate by events.
 */
export type House = { floors: Readonly<Record<string, readonly Floor[]>>; meetings: readonly Meeting[] };

export const house: House = {
  floors: {
    server: [
      { floor: 'start', rooms: ['main.ts', 'exports-main.ts'] },
      { floor: 'a whole server', rooms: ['start-server.ts'] },
      {
        floor: 'assembly',
        rooms: ['announcement.ts', 'build.ts', 'endings.ts', 'open-log.ts', 'start-fault.ts', 'station-entrances.ts'],
      },
      { floor: 'what stations and the clock drive', rooms: ['gateways', 'jobs'] },
      { floor: 'the charge', rooms: ['charging'] },
      { floor: 'every list', rooms: ['tasks'] },
      { floor: 'slices', rooms: slices },
      { floor: 'requests', rooms: ['http'] },
      { floor: 'what an action needs', rooms: ['context.ts', 'environment.ts'] },
      { floor: 'between nodes', rooms: ['bus'] },
      { floor: 'records', rooms: ['exports', 'files', 'journal', 'ledger'] },
      { floor: 'what is shown of a person', rooms: ['personal'] },
      { floor: 'who asks', rooms: ['caller'] },
      { floor: 'ground', rooms: ['database', 'limits', 'secrets', 'sms'] },
    ],
    console: [
      { floor: 'start', rooms: ['main.tsx'] },
      { floor: 'frame', rooms: ['shell'] },
      { floor: 'pages', rooms: ['routes.tsx'] },
      { floor: 'slices', rooms: [...slices, 'tasks'] },
      { floor: 'parts of screens', rooms: ['ui'] },
      { floor: 'who is signed in', rooms: ['session'] },
      { floor: 'requests', rooms: ['api'] },
      { floor: 'words', rooms: ['phrases.ts', 'screens-to-come.ts'] },
      { floor: 'language', rooms: ['language.ts'] },
      { floor: 'ground', rooms: ['keep-text.ts'] },
    ],
  },
  meetings: [
    {
      app: 'server',
      from: 'access',
      files: ['settings/built-in-configs.ts'],
      because: 'the first run seeds the parameters that the console reads before anybody has signed in',
    },
    {
      app: 'server',
      from: 'stations',
      files: ['orders/find-balance.ts'],
      because: 'a person can send a station the balance behind its running charge',
    },
    {
      app: 'server',
      from: 'payments',
      files: ['orders/tell-balance.ts', 'orders/repay-debts.ts', 'orders/order-events.ts'],
      because: 'new money repays what orders left owing, and stations and consoles learn of it',
    },
    {
      app: 'server',
      from: 'overview',
      files: ['access/positions/queries.ts'],
      because: 'the search finds the positions that their list shows, and no other',
    },
    {
      app: 'console',
      from: 'stations',
      files: ['logs/StationLog.tsx'],
      because: 'the page of a station holds its interaction log',
    },
  ],
};
