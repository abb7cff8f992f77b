/** Rooms at the same level. Each is a folder of an app's `src`, or a file beside the folders. */
export type Floor = { floor: string; rooms: readonly string[] };

/** Which room may use which files of another one on its floor, and why. Paths are relative to the app's `src`. */
export type Meeting = { app: string; from: string; files: readonly string[]; because: string };

/** The slices have the same name in each app; one without a screen or without a server has no room there. */
const slices = [
  'access',
  'agents',
  'approvals',
  'books',
  'cards',
  'content',
  'credit',
  'customers',
  'logs',
  'orders',
  'overview',
  'own',
  'payments',
  'price-changes',
  'rehearsals',
  'readings',
  'settings',
  'sites',
  'stations',
  'tariffs',
  'vehicles',
  'views',
  'withdrawals',
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
      { floor: 'long work and acts that wait', rooms: ['background', 'second-person'] },
      { floor: 'requests', rooms: ['http'] },
      { floor: 'what an action needs', rooms: ['context.ts', 'environment.ts'] },
      { floor: 'between nodes', rooms: ['bus'] },
      { floor: 'money from outside', rooms: ['channels'] },
      { floor: 'records', rooms: ['exports', 'files', 'journal', 'ledger'] },
      { floor: 'what is shown of a person', rooms: ['personal'] },
      { floor: 'who asks', rooms: ['caller'] },
      { floor: 'ground', rooms: ['database', 'limits', 'secrets', 'sms'] },
    ],
    console: [
      { floor: 'start', rooms: ['main.tsx'] },
      { floor: 'the page of a QR code', rooms: ['charge-page'] },
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
      from: 'stations',
      files: ['tariffs/rules-of-station.ts'],
      because: 'a station gets a rule by its version in force, or the default where nobody chose one',
    },
    {
      app: 'server',
      from: 'orders',
      files: ['tariffs/tariff-at.ts'],
      because: 'a charge that is started from the console is priced by what holds at that time',
    },
    {
      app: 'server',
      from: 'sites',
      files: ['tariffs/rules-of-station.ts'],
      because: 'a site takes its stations to another agent only where that agent may price by their rules',
    },
    {
      app: 'server',
      from: 'price-changes',
      files: [
        'stations/tariffs/station-tariff.ts',
        'stations/tariffs/watch-tariffs.ts',
        'tariffs/lock-rule.ts',
        'tariffs/move-stations.ts',
        'tariffs/rules-of-station.ts',
      ],
      because: 'a price change gives stations a rule, and the watch tells those that price charges themselves',
    },
    {
      app: 'server',
      from: 'rehearsals',
      files: ['orders/price-billing.ts', 'orders/order-readings.ts'],
      because: 'past charges are priced again by the code that settled them',
    },
    {
      app: 'server',
      from: 'payments',
      files: ['orders/tell-balance.ts', 'orders/repay-debts.ts', 'orders/order-events.ts', 'orders/hold-money.ts'],
      because: 'new money repays what orders left owing, and stations and consoles learn of it',
    },
    {
      app: 'server',
      from: 'cards',
      files: [
        'orders/filter-orders.ts',
        'orders/repay-debts.ts',
        'orders/tell-balance.ts',
        'payments/gifts/move-gift.ts',
        'payments/transfers/move-wallet.ts',
        'stations/commands/start-station-commands.ts',
        'stations/note-station-cards.ts',
      ],
      because: 'a card is money that moves, orders that it paid, and a line in the lists of stations',
    },
    {
      app: 'server',
      from: 'payments',
      files: ['withdrawals/end-payout.ts'],
      because: 'a payout that its channel ended is a withdrawal’s',
    },
    {
      app: 'server',
      from: 'withdrawals',
      files: ['orders/tell-balance.ts'],
      because: 'money that is frozen is no longer behind running charges',
    },
    {
      app: 'server',
      from: 'customers',
      files: ['orders/order-events.ts', 'orders/repay-debts.ts', 'payments/transfers/move-wallet.ts'],
      because: 'two records of one person are merged with their money, which repays what is owed',
    },
    {
      app: 'server',
      from: 'own',
      files: [
        'access/customer-of-phone.ts',
        'access/send-sms-code.ts',
        'access/sign-in-routes.ts',
        'access/sms-codes.ts',
        'orders/order-steps.ts',
        'orders/place-order.ts',
        'orders/queries.ts',
        'orders/stop-order.ts',
        'payments/channel-outcomes.ts',
        'tariffs/tariff-at.ts',
        'vehicles/check-vehicle.ts',
      ],
      because: 'a customer signs in, charges and pays by the same code as a person at a desk does for them',
    },
    {
      app: 'server',
      from: 'readings',
      files: ['orders/filter-orders.ts', 'orders/order-readings.ts', 'orders/curve.ts', 'orders/queries.ts'],
      because: 'the charging log is found by its charges, and shows their curve and bill as their own page does',
    },
    {
      app: 'server',
      from: 'overview',
      files: ['access/positions/queries.ts'],
      because: 'the search finds the positions that their list shows, and no other',
    },
    {
      app: 'console',
      from: 'readings',
      files: [
        'orders/charge-chart.ts',
        'orders/curve.ts',
        'orders/PriceStrip.tsx',
        'orders/stretches-of.ts',
        'orders/words.ts',
      ],
      because: 'the charging log draws a charge as its order does, with the prices below',
    },
    {
      app: 'console',
      from: 'customers',
      files: ['payments/transfers/wallet-acts.tsx', 'payments/transfers/wallet-of.ts'],
      because: 'the money of a registered user is transferred and given from the list of users',
    },
    {
      app: 'console',
      from: 'cards',
      files: ['payments/transfers/wallet-acts.tsx', 'payments/transfers/wallet-of.ts'],
      because: 'the money of a card is transferred and given from the list of cards',
    },
    {
      app: 'console',
      from: 'rehearsals',
      files: ['tasks/task-acts.ts', 'orders/PeriodChip.tsx'],
      because: 'a rehearsal is cancelled as the task that it is, and shows price periods as bills do',
    },
    {
      app: 'console',
      from: 'tariffs',
      files: ['rehearsals/RehearsalFormDrawer.tsx'],
      because: 'a rule is rehearsed from the list of rules',
    },
    {
      app: 'console',
      from: 'price-changes',
      files: ['rehearsals/RehearsalFormDrawer.tsx'],
      because: 'the rule of a price change can be rehearsed first',
    },
    {
      app: 'console',
      from: 'stations',
      files: ['logs/StationLog.tsx'],
      because: 'the page of a station holds its interaction log',
    },
    {
      app: 'console',
      from: 'tasks',
      files: ['stations/outcome.ts'],
      because: 'the rows of a command for many stations hold their answers',
    },
  ],
};
