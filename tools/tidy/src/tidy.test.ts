import { describe, expect, test } from 'vitest';
import { conformanceProven } from './conformance.ts';
import type { House } from './floors.ts';
import { importDirections, noCycles } from './import-directions.ts';
import { noMachinePaths, nothingLeftBehind } from './left-behind.ts';
import { lockFile } from './lock-file.ts';
import { migrationsInOrder } from './migrations.ts';
import { exportedNames, fileNames, noBarrels } from './names.ts';
import { orderWordsComplete } from './order-words.ts';
import { packagesArePure } from './package-purity.ts';
import { wordsComeAlong } from './page-words.ts';
import { noTextOutsidePhrases, phrasesComplete, phrasesUsed } from './phrases.ts';
import { protocolsByTable } from './protocols.ts';
import { lineOf, sampleRepository, workspaceOf } from './repository.ts';
import { describeRanking, helpersOfTests, importsLeadDown, roomsApart, roomsRanked } from './rooms.ts';
import { routesBound, routesPermitted } from './routes.ts';
import type { Rule } from './rule.ts';
import { rulesFor } from './run-tidy.ts';
import { screensByValue } from './screens.ts';
import { stateIn, stateNamed } from './state.ts';
import { namesTest, testTitlesOf } from './test-titles.ts';

/** A rule's findings in these files, as "path:line text". */
async function said(rule: Rule, files: Record<string, string>): Promise<string[]> {
  const findings = await rule.check(sampleRepository(files));
  return findings.map(({ path, line, text }) => `${path}:${line} ${text}`);
}

/** One file's text, parsed. */
function sourceOf(text: string) {
  const [file] = sampleRepository({ 'apps/server/src/sample.ts': text }).sources;
  if (file === undefined) throw new Error('no file');
  return file;
}

const tested = new Set<string>();

/** Every rule has a sample that it refuses and one that it accepts; a rule that cannot fail is a defect. */
function rule(
  subject: Rule,
  samples: { wrong: Record<string, string>; says: string[]; right: Record<string, string> },
): void {
  tested.add(subject.name);
  test(`the rule "${subject.name}" finds what breaks it`, async () => {
    expect(await said(subject, samples.wrong)).toEqual(samples.says);
  });
  test(`the rule "${subject.name}" lets pass what keeps it`, async () => {
    expect(await said(subject, samples.right)).toEqual([]);
  });
}

const workspaces = {
  'packages/units/package.json': '{ "name": "@voltdeck/units" }',
  'packages/ledger/package.json': '{ "name": "@voltdeck/ledger" }',
  'packages/contract/package.json': '{ "name": "@voltdeck/contract" }',
  'apps/console/package.json': '{ "name": "@voltdeck/console" }',
  'tools/simulator/package.json': '{ "name": "@voltdeck/simulator" }',
};

rule(importDirections, {
  wrong: {
    ...workspaces,
    'apps/console/src/home.ts': "import { post } from '@voltdeck/ledger/transfer';\n",
    'packages/units/src/money.ts': "export { x } from '../../ledger/src/x.ts';\n",
    'packages/ocpp16/src/frame.ts': "\nimport type { Route } from '@voltdeck/contract/route';\n",
    'apps/server/src/main.ts': "await import('../../../tools.ts');\nawait import('@voltdeck/simulator/fleet');\n",
    'packages/unheard/src/thing.ts': "import { fen } from '@voltdeck/units/money';\n",
  },
  says: [
    'apps/console/src/home.ts:1 apps/console may not import packages/ledger',
    'packages/units/src/money.ts:1 reach packages/ledger by its package name, not by "../../ledger/src/x.ts"',
    'packages/ocpp16/src/frame.ts:2 packages/ocpp16 may not import packages/contract',
    'apps/server/src/main.ts:1 "../../../tools.ts" leaves the workspace',
    'apps/server/src/main.ts:2 apps/server may not import tools/simulator',
    'packages/unheard/src/thing.ts:1 packages/unheard may not import packages/units',
  ],
  right: {
    ...workspaces,
    'packages/ledger/src/posting.ts': "import { fen } from '@voltdeck/units/money';\nimport { x } from './x.ts';\n",
    'packages/phrases/src/phrase.test.ts': "import { errorStatuses } from '@voltdeck/contract/errors';\n",
    'tools/world/src/main.ts': "import { startFleet } from '@voltdeck/simulator/fleet';\nimport pg from 'pg';\n",
  },
});

rule(noCycles, {
  wrong: {
    ...workspaces,
    'packages/units/src/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
    'packages/units/src/b.ts': "export { c as b } from './c.ts';\n",
    'packages/units/src/c.ts': "import { a } from '@voltdeck/units/a';\nexport const c = a;\n",
    'packages/units/src/d.ts': "import * as d from './d.ts';\nexport const e = d;\n",
    'apps/console/src/ui/Editor.tsx': "export type Props = object;\nconst body = import('./EditorBody.tsx');\n",
    'apps/console/src/ui/EditorBody.tsx': "import type { Props } from './Editor.tsx';\nexport type Body = Props;\n",
  },
  says: [
    'packages/units/src/a.ts:0 imports go in a circle: packages/units/src/a.ts, packages/units/src/b.ts, packages/units/src/c.ts',
    'packages/units/src/d.ts:0 imports go in a circle: packages/units/src/d.ts',
    'apps/console/src/ui/Editor.tsx:0 imports go in a circle: apps/console/src/ui/Editor.tsx, apps/console/src/ui/EditorBody.tsx',
  ],
  right: {
    'packages/units/src/a.ts':
      "import { b } from './b.ts';\nimport type { B } from './b.ts';\nexport const a: B = b;\n",
    'packages/units/src/b.ts': 'export type B = 1;\nexport const b = 1;\n',
  },
});

/** A house with a few rooms, so that a sample need not contain them all. */
const smallHouse: House = {
  floors: {
    server: [
      { floor: 'start', rooms: ['main.ts'] },
      { floor: 'slices', rooms: ['cards', 'orders', 'tasks'] },
      { floor: 'ground', rooms: ['database'] },
    ],
    console: [
      { floor: 'slices', rooms: ['orders'] },
      { floor: 'parts', rooms: ['ui'] },
    ],
  },
  meetings: [{ app: 'server', from: 'tasks', files: ['orders/export-orders.ts'], because: 'both write one list' }],
};
const everyRoom = {
  'apps/server/src/main.ts': '',
  'apps/server/src/cards/create-card.ts': '',
  'apps/server/src/orders/stop-order.ts': '',
  'apps/server/src/tasks/run-export.ts': "import { exportOrders } from '../orders/export-orders.ts';\n",
  'apps/server/src/database/database.ts': '',
  'apps/console/src/orders/OrderPage.tsx': '',
  'apps/console/src/ui/Money.tsx': '',
};

rule(roomsRanked(smallHouse), {
  wrong: {
    ...everyRoom,
    'apps/server/src/billing/bill.ts': '',
    'apps/server/src/bill.ts': '',
    'apps/console/src/ui/Money.tsx': "import { addFen } from '../sums/add-fen.ts';\n",
    'apps/console/src/sums/add-fen.ts': '',
    'apps/outside/src/main.ts': '',
  },
  says: [
    'apps/server/src/billing:0 stands on no floor of floors.ts',
    'apps/server/src/bill.ts:0 stands on no floor of floors.ts',
    'apps/console/src/sums:0 stands on no floor of floors.ts',
    'apps/outside/src/main.ts:0 stands on no floor of floors.ts',
  ],
  right: { ...everyRoom, 'apps/server/src/main.test.ts': '', 'packages/units/src/fen.ts': '' },
});

test('a floor that names a room which no app has is found', async () => {
  const { 'apps/server/src/cards/create-card.ts': _, ...withoutCards } = everyRoom;
  expect(await said(roomsRanked(smallHouse), withoutCards)).toEqual([
    'apps/server/src/cards:0 has a floor and is not there',
  ]);
});

rule(importsLeadDown(smallHouse), {
  wrong: {
    'apps/server/src/database/database.ts': "\nimport { stop } from '../orders/stop-order.ts';\n",
    'apps/server/src/orders/stop-order.ts': "import type { Main } from '../main.ts';\nawait import('../main.ts');\n",
    'apps/console/src/ui/Money.tsx': "export { OrderPage } from '../orders/OrderPage.tsx';\n",
  },
  says: [
    'apps/server/src/database/database.ts:2 database reaches up to orders/stop-order.ts; move what it needs down or send an event',
    'apps/server/src/orders/stop-order.ts:1 orders reaches up to main.ts; move what it needs down or send an event',
    'apps/server/src/orders/stop-order.ts:2 orders reaches up to main.ts; move what it needs down or send an event',
    'apps/console/src/ui/Money.tsx:1 ui reaches up to orders/OrderPage.tsx; move what it needs down or send an event',
  ],
  right: {
    'apps/server/src/main.ts': "import { stop } from './orders/stop-order.ts';\n",
    'apps/server/src/orders/stop-order.ts': "import { db } from '../database/database.ts';\n",
    'apps/server/src/database/database.test.ts': "import { stop } from '../orders/stop-order.ts';\n",
    'apps/server/src/database/test-database.ts': "import { stop } from '../orders/stop-order.ts';\n",
  },
});

rule(roomsApart(smallHouse), {
  wrong: {
    'apps/server/src/orders/settle-order.ts': "import { cardById } from '../cards/queries.ts';\n",
    'apps/server/src/cards/queries.ts': "import type { Export } from '../orders/export-orders.ts';\n",
    'apps/server/src/tasks/run-export.ts': "import { listed } from '../orders/queries/export-orders.ts';\n",
  },
  says: [
    'apps/server/src/orders/settle-order.ts:1 orders reaches into cards/queries.ts; send an event or list it',
    'apps/server/src/cards/queries.ts:1 cards reaches into orders/export-orders.ts; send an event or list it',
    'apps/server/src/tasks/run-export.ts:1 tasks reaches into orders/queries/export-orders.ts; send an event or list it',
    'apps/server/src/tasks:0 no longer reaches into orders/export-orders.ts; take it off the list',
    'apps/server/src/orders:0 goes in a circle: apps/server/src/cards, apps/server/src/orders',
  ],
  right: {
    ...everyRoom,
    'apps/server/src/orders/settle-order.ts':
      "import { db } from '../database/database.ts';\nimport { y } from './y.ts';\n",
    'apps/server/src/orders/settle-order.test.ts': "import { newCard } from '../cards/create-card.ts';\n",
  },
});

rule(helpersOfTests, {
  wrong: {
    'apps/server/src/build.ts': "import { freshDatabase } from './database/test-database.ts';\n",
    'apps/server/src/orders/queries.ts': "import { sample } from './orders.test.ts';\n",
  },
  says: [
    'apps/server/src/build.ts:1 apps/server/src/database/test-database.ts is for tests alone',
    'apps/server/src/orders/queries.ts:1 apps/server/src/orders/orders.test.ts is for tests alone',
  ],
  right: {
    'apps/server/src/orders/orders.test.ts': "import { openTestApi } from '../http/test-api.ts';\n",
    'apps/server/src/http/test-api.ts': "import { freshDatabase } from '../database/test-database.ts';\n",
    'tools/bench/src/fill.ts': "import { freshDatabase } from '@voltdeck/server/database/test-database';\n",
  },
});

test('the ranking is printed from the highest floor to the lowest, with who meets whom', () => {
  expect(describeRanking(smallHouse)).toBe(
    [
      'apps/server',
      '   1  start   main.ts',
      '   2  slices  cards orders tasks',
      '   3  ground  database',
      '      tasks -> orders/export-orders.ts: both write one list',
      '',
      'apps/console',
      '   1  slices  orders',
      '   2  parts   ui',
    ].join('\n'),
  );
});

const statePage = 'docs/decisions/0010-state-of-one-process.md';
const limited = 'export class Limit {\n  readonly max = 3;\n  #calls = 0;\n}\n';

rule(stateNamed, {
  wrong: {
    'apps/server/src/bus/bus.ts':
      'const handlers = new Set();\nexport const hear = (handler) => handlers.add(handler);\n',
    'apps/server/src/http/limit.ts': limited,
    'apps/server/src/http/test-limit.ts': limited,
    'apps/console/src/ui/limit.ts': limited,
    [statePage]: '| `http/limit.ts` | `Limit` and `spent` | a day |\n| `http/gone.ts` | `kept` | a day |\n',
  },
  says: [
    `apps/server/src/bus/bus.ts:0 keeps "handlers" in mind; give it a row in ${statePage}`,
    `${statePage}:1 http/limit.ts keeps no "spent"`,
    `${statePage}:2 http/gone.ts is not there`,
  ],
  right: {
    'apps/server/src/http/limit.ts': limited,
    [statePage]: 'A page.\n\n| Where | Keeps |\n|---|---|\n| `http/limit.ts` | `Limit`: calls |\n',
  },
});

test('a repository without the page of its state is refused', async () => {
  expect(await said(stateNamed, {})).toEqual(['docs/decisions:0 has no page "state of one process"']);
});

describe('what a file keeps in mind', () => {
  test.each([
    ['a variable of the module that may be assigned', 'export let count = 0;', ['count']],
    ['an empty collection of the module', 'const seen = new WeakMap();', ['seen']],
    [
      'a filled one that is changed',
      'const seen = new Map([[1, 2]]);\nexport const f = () => seen.delete(1);',
      ['seen'],
    ],
    ['a record that is changed', 'const seen = { at: 0 };\nexport const f = () => { seen.at += 1; };', ['seen']],
    [
      'a variable that a returned function assigns',
      'const f = () => {\n  let at = 0;\n  return () => { at += 1; };\n};',
      ['at'],
    ],
    [
      'a collection that a method of a returned object fills',
      'function f() {\n  const seen = new Set();\n  return { add(x) { seen.add(x); } };\n}',
      ['seen'],
    ],
    ['a field that may be assigned', 'class Link { #state; }', ['Link']],
    ['a collection in a field', 'class Doors { readonly sockets = new Set(); }', ['Doors']],
  ])('a file keeps in mind %s', (_, text, names) => {
    expect(stateIn(sourceOf(text))).toEqual(names);
  });

  test.each([
    ['a table that nothing changes', 'const codes = new Set([1, 2]);\nexport const f = (x) => codes.has(x);'],
    [
      'a sum over a list',
      'const f = (all) => {\n  let sum = 0;\n  all.forEach((x) => { sum += x; });\n  return sum;\n};',
    ],
    [
      'a list that a loop fills',
      'const f = (all) => {\n  const out = [];\n  for (const x of all) out.push(x);\n  return out;\n};',
    ],
    ['a field that is set once', 'class Link { readonly #max = 3; readonly number; }'],
  ])('a file does not keep in mind %s', (_, text) => {
    expect(stateIn(sourceOf(text))).toEqual([]);
  });
});

const twoProtocols = { 'packages/charging/src/states.ts': "export const protocols = ['ocpp1.6', 'ykc'] as const;\n" };

rule(protocolsByTable, {
  wrong: {
    ...twoProtocols,
    'apps/server/src/logs/export-logs.ts': "\nexport const isText = (protocol) => protocol === 'ocpp1.6';\n",
    'apps/console/src/logs/SpanTable.tsx': "export const isBytes = ({ protocol }) => 'ykc' !== protocol;\n",
  },
  says: [
    "apps/server/src/logs/export-logs.ts:2 compares with 'ocpp1.6'; the next protocol would fall to the other side unseen",
    "apps/console/src/logs/SpanTable.tsx:1 compares with 'ykc'; the next protocol would fall to the other side unseen",
  ],
  right: {
    ...twoProtocols,
    'apps/server/src/logs/export-logs.ts': "export const isText = { 'ocpp1.6': true, ykc: false };\n",
    'apps/server/src/logs/logs.test.ts': "export const isText = (protocol) => protocol === 'ocpp1.6';\n",
    'apps/server/src/gateways/ykc-socket.ts': "export const isMine = (row) => row.protocol === 'ykc';\n",
    'tools/simulator/src/scenarios.ts': "export const isPile = (protocol) => protocol === 'ykc';\n",
  },
});

test('a missing list of protocols is reported', async () => {
  expect(await said(protocolsByTable, {})).toEqual(['packages/charging/src/states.ts:0 lists no protocols']);
});

const twoScreens = {
  'packages/contract/src/screens.ts': "export const screens = { user: { path: '/user' }, role: { path: '/role' } };",
  'packages/contract/src/outer-screens.ts': "export const outerScreens = { login: { path: '/login' } };",
};

rule(screensByValue, {
  wrong: {
    ...twoScreens,
    'apps/console/src/access/UserPage.tsx': [
      'export const link = <Link to="/user">people</Link>;',
      'export const found = `/role?name=Finance`;',
    ].join('\n'),
    'apps/console/src/access/entry.ts': "export const loginPath = '/login';\n",
  },
  says: [
    'apps/console/src/access/UserPage.tsx:1 writes /user itself; to() knows it',
    'apps/console/src/access/UserPage.tsx:2 writes /role itself; to() knows it',
    'apps/console/src/access/entry.ts:1 writes /login itself; to() knows it',
  ],
  right: {
    ...twoScreens,
    'apps/console/src/access/UserPage.tsx': "export const link = to('user', { name: '/users/role' });\n",
    'apps/console/src/access/sign-in.ts': "const path: (typeof login)['path'] = '/login';\n",
    'apps/console/src/access/entry.test.ts': "export const wanted = '/user';\n",
    'tests/browser/user.test.ts': "export const wanted = '/user';\n",
  },
});

test('a missing list of screens is reported', async () => {
  expect(await said(screensByValue, {})).toEqual(['packages/contract/src/screens.ts:0 lists no screens']);
});

rule(packagesArePure, {
  wrong: {
    'packages/units/src/a.ts': [
      "import { readFile } from 'node:fs';",
      "import ajv from 'ajv';",
      'export const now = () => Date.now();',
      'export const today = () => new Date();',
      'export const dice = Math.random();',
      'export const port = process.env.PORT;',
      'export const later = setTimeout(() => globalThis, 1);',
      "export const page = fetch('/');",
      'export const text = { now: performance };',
    ].join('\n'),
    'packages/tcec102/src/envelope.ts': "import { createHmac, randomBytes } from 'node:crypto';",
    'packages/tcec102/src/other.ts': "import { createHmac } from 'node:crypto';",
  },
  says: [
    'packages/units/src/a.ts:1 imports "node:fs"',
    'packages/units/src/a.ts:2 imports "ajv"',
    'packages/units/src/a.ts:3 uses Date.now',
    'packages/units/src/a.ts:4 uses new Date()',
    'packages/units/src/a.ts:5 uses Math.random',
    'packages/units/src/a.ts:6 uses process',
    'packages/units/src/a.ts:7 uses setTimeout',
    'packages/units/src/a.ts:7 uses globalThis',
    'packages/units/src/a.ts:8 uses fetch',
    'packages/units/src/a.ts:9 uses performance',
    'packages/tcec102/src/envelope.ts:1 imports "node:crypto"',
    'packages/tcec102/src/other.ts:1 imports "node:crypto"',
  ],
  right: {
    'packages/units/src/a.ts': [
      'export const day = (at: number) => new Date(at).toISOString();',
      'export const parsed = Date.parse("2026-11-21");',
      'export const floor = Math.floor(1.5);',
      'export type Station = { location: string; process(input: string): void };',
      'export const site = { location: "here", console: 1 };',
      'export const read = (station: Station) => station.location;',
      'export function open(document: string, { window }: { window: number }) { return document + window; }',
    ].join('\n'),
    'packages/units/src/a.test.ts': 'import { readFileSync } from "node:fs"; Date.now();',
    'packages/contract/src/a.ts': "import * as z from 'zod/mini';",
    'packages/tcec102/src/envelope.ts': "import { createHmac, timingSafeEqual } from 'node:crypto';",
    'apps/server/src/a.ts': 'export const now = Date.now();',
  },
});

rule(fileNames, {
  wrong: {
    'packages/units/src/money-utils.ts': '',
    'packages/units/src/index.ts': '',
    'packages/units/src/fooBar.ts': '',
    'apps/server/src/orders/OrderStore.ts': '',
    'apps/console/src/orders/OrderPage.tsx': 'export function SomethingElse() {}',
    'apps/console/src/orders/OrderManager.tsx': 'export function OrderManager() {}',
    'apps/server/src/common/thing.ts': '',
    'packages/ocpp16/src/types.ts': '',
  },
  says: [
    'packages/units/src/money-utils.ts:0 "utils" names nothing; say what it is',
    'packages/units/src/index.ts:0 an index file is a barrel; import the file that has it',
    'packages/units/src/fooBar.ts:0 is not kebab-case',
    'apps/server/src/orders/OrderStore.ts:0 PascalCase is for a file with one React component (.tsx)',
    'apps/server/src/orders/OrderStore.ts:0 exports no OrderStore',
    'apps/console/src/orders/OrderPage.tsx:0 exports no OrderPage',
    'apps/console/src/orders/OrderManager.tsx:0 "Manager" names nothing; say what it is',
    'apps/server/src/common/thing.ts:0 "common" names nothing; say what it is',
    'packages/ocpp16/src/types.ts:0 "types" names nothing; say what it is',
  ],
  right: {
    'packages/units/src/money.ts': '',
    'packages/units/src/money.test.ts': '',
    'packages/units/src/region-names.generated.ts': '',
    'tools/regions/src/libraries.d.ts': '',
    'apps/console/src/orders/OrderPage.tsx': 'export default function OrderPage() {}',
    'apps/console/src/ui/StateTag.tsx': 'export const StateTag = () => null;',
    'apps/console/src/overview/basemap.ts': '',
    'vitest.config.ts': '',
  },
});

rule(exportedNames, {
  wrong: {
    'packages/units/src/a.ts':
      'export class OrderManager {}\nexport const moneyUtils = 1;\nexport type BaseStation = 1;\n',
  },
  says: [
    'packages/units/src/a.ts:1 OrderManager: "manager" names nothing; say what it is',
    'packages/units/src/a.ts:2 moneyUtils: "utils" names nothing; say what it is',
    'packages/units/src/a.ts:3 BaseStation: "base" names nothing; say what it is',
  ],
  right: {
    'packages/units/src/a.ts': 'export const serviceFeeFen = 1, stationTypes = [], basemap = 1; export default 1;',
    'packages/units/src/a.test.ts': 'export const orderService = 1;',
  },
});

rule(noBarrels, {
  wrong: { 'packages/units/src/all.ts': "export * from './a.ts';\nexport { b } from './b.ts';\n" },
  says: ['packages/units/src/all.ts:0 is a barrel; import the file that has it'],
  right: {
    'packages/units/src/all.ts': "import { a } from './a.ts';\nexport const all = { ...a };\n",
    'packages/units/src/b.ts': "export { c } from './c.ts';\nexport const b = 1;\n",
    'packages/units/src/empty.ts': '',
  },
});

rule(phrasesComplete, {
  wrong: {
    'packages/phrases/src/zh-CN/orders.ts':
      "export const orders = { 'orders.a': '甲', 'orders.b': ' ', 'orders.a': '乙' };",
    'packages/phrases/src/en/orders.ts': "export const orders = { 'orders.a': '甲', 'orders.c': 'C' };",
  },
  says: [
    'packages/phrases/src/zh-CN/orders.ts:1 orders.b is missing in en/orders.ts',
    'packages/phrases/src/zh-CN/orders.ts:1 orders.b is empty',
    'packages/phrases/src/zh-CN/orders.ts:1 orders.a is given twice; the later one would win in silence',
    'packages/phrases/src/en/orders.ts:1 orders.a has Chinese in its English text',
    'packages/phrases/src/en/orders.ts:1 orders.c is missing in zh-CN/orders.ts',
  ],
  right: {
    'packages/phrases/src/zh-CN/orders.ts': "export const orders = { 'orders.a': '甲' } as const;",
    'packages/phrases/src/en/orders.ts': "export const orders = { 'orders.a': 'A' };",
  },
});

rule(phrasesUsed, {
  wrong: {
    'packages/phrases/src/zh-CN/orders.ts':
      "export const orders = { 'orders.a': '甲', 'orders.b': '乙', 'orders.c': '丙' };",
    'apps/console/src/orders/page.ts': "phrase('orders.a'); // orders.c",
    'apps/console/src/orders/page.test.ts': "phrase('orders.b');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
    'apps/console/src/orders/word.ts': 'export const word = (kind: string, name: string) => phrase(`${kind}.${name}`);',
    'apps/console/src/routes.ts':
      "page(['orders'], () => import('./page.ts')); place('orders', { id }); open('orders');",
  },
  says: [
    'packages/phrases/src/zh-CN/orders.ts:1 orders.b is used nowhere',
    'packages/phrases/src/zh-CN/orders.ts:1 orders.c is used nowhere',
  ],
  right: {
    'packages/phrases/src/zh-CN/orders.ts':
      "export const orders = { 'order-state.charging': '充电中', 'orders.b': '乙', 'orders.fact.energyWh': '电量', 'error.x.y': '错', 'orders.why.late': '迟', 'orders.kind.new': '新' };",
    'apps/console/src/orders/page.ts':
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
      "phrase(`order-state.${state}`); phrase(key ?? 'orders.b'); word('orders.fact', name); phrase(`error.${code}`); firstWord(['orders.why', 'stop'], name); column({ words: 'orders.kind' });",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
    'apps/console/src/orders/word.ts': 'export const word = (kind: string, name: string) => phrase(`${kind}.${name}`);',
  },
});

const orderPhrases =
  "export const order = { 'orders.fact.energyWh': '电量', 'orders.fact.because': '原因', 'orders.because.overlaps': '重叠', 'orders.event.ended': '结束' };";

const words = {
  'packages/phrases/src/zh-CN/core.ts': "import { shell } from './shell.ts';\nexport const core = { ...shell };\n",
  'packages/phrases/src/zh-CN/access.ts': "export const access = { 'access.title': '登录' };\n",
  'packages/phrases/src/zh-CN/shell.ts': "export const shell = { 'shell.close': '关闭' };\n",
  'packages/phrases/src/zh-CN/orders.ts': "export const orders = { 'orders.state.placed': '已下单' };\n",
  'packages/phrases/src/zh-CN/menu-list.ts': "export const menuList = { 'menu-list.add': '添加' };\n",
  'apps/console/src/main.tsx': "phrase('access.title');\nimport('./shell/console.tsx');\n",
  'apps/console/src/shell/console.tsx': "import '../routes.tsx';\nphrase('shell.close');\n",
};

rule(wordsComeAlong, {
  wrong: {
    ...words,
    'apps/console/src/main.tsx': "phrase('shell.close');\nimport('./shell/console.tsx');\n",
    'apps/console/src/routes.tsx': [
      "page(['menuList'], () => import('./orders/OrderPage.tsx'));",
      "page(['orders'], () => import('./orders/OrderListPage.tsx'));",
    ].join('\n'),
    'apps/console/src/orders/OrderPage.tsx': "import { word } from './order-words.ts';\n",
    'apps/console/src/orders/order-words.ts': "export const word = wordFor('orders.state.', 'placed');\n",
    'apps/console/src/orders/OrderListPage.tsx': [
      "import { word } from './order-words.ts';",
      "const Form = lazy(() => import('./OrderForm.tsx'));",
    ].join('\n'),
    'apps/console/src/orders/OrderForm.tsx': "phrase('menu-list.add');\n",
  },
  says: [
    'apps/console/src/main.tsx:0 says shell.close; the words of shell do not come with apps/console/src/main.tsx',
    'apps/console/src/orders/order-words.ts:0 says orders.state.placed; the words of orders do not come with apps/console/src/orders/OrderPage.tsx',
    'apps/console/src/routes.tsx:1 loads the words of menuList with apps/console/src/orders/OrderPage.tsx, which does not say them',
    'apps/console/src/orders/OrderForm.tsx:0 says menu-list.add; the words of menuList do not come with apps/console/src/orders/OrderListPage.tsx',
  ],
  right: {
    ...words,
    'apps/console/src/routes.tsx': "page(['orders'], () => import('./orders/OrderListPage.tsx'));\n",
    'apps/console/src/orders/OrderListPage.tsx': [
      "const family = wordFor('orders.state', 'placed');",
      "const Form = lazy(withWords(['menuList'], () => import('./OrderForm.tsx')));",
    ].join('\n'),
    'apps/console/src/orders/OrderForm.tsx': "phrase('menu-list.add');\nphrase('shell.close');\n",
  },
});

test('a missing core of words is reported', async () => {
  expect(await said(wordsComeAlong, {})).toEqual(['packages/phrases/src/zh-CN/core.ts:0 gathers no words']);
});

rule(orderWordsComplete, {
  wrong: {
    'packages/phrases/src/zh-CN/order.ts': orderPhrases,
    'packages/charging/src/charge/decide-end.ts': [
      "const evidence = { energyWh, because: 'the_moon', ...(isLate && { lateMs }) };",
      "flags.push({ rule: 'meter_jump', evidence });",
      "flags.push({ rule: 'stop_differs', evidence: { ...others, energyWh } });",
    ].join('\n'),
    'apps/server/src/orders/order-record.ts': "type TimelineEvent = 'ended' | 'teleported';",
    'apps/server/src/orders/stop-order.ts': "timelineEntry(at, 'ended', { meterWh });",
  },
  says: [
    'packages/charging/src/charge/decide-end.ts:1 orders.because.the_moon has no phrase',
    'packages/charging/src/charge/decide-end.ts:1 orders.fact.lateMs has no phrase',
    'packages/charging/src/charge/decide-end.ts:3 the facts of "others" cannot be read: spread an object that is made here',
    'apps/server/src/orders/order-record.ts:1 orders.event.teleported has no phrase',
    'apps/server/src/orders/stop-order.ts:1 orders.fact.meterWh has no phrase',
  ],
  right: {
    'packages/phrases/src/zh-CN/order.ts': orderPhrases,
    'packages/charging/src/charge/decide-end.ts': [
      "const evidence = { energyWh, because: 'overlaps' };",
      "flags.push({ rule: 'meter_jump', evidence: isFirst ? evidence : { ...evidence, energyWh } });",
      "flags.push({ rule: 'record_contradicts', evidence: contradicted.evidence });",
    ].join('\n'),
    'packages/charging/src/charge/test-charge.ts': "({ rule: 'meter_jump', evidence: { anything } });",
    'apps/server/src/orders/order-record.ts': "type TimelineEvent = 'ended';",
    'apps/server/src/http/reply.ts': "({ rule: 'elsewhere', evidence: { anything } });",
  },
});

rule(noTextOutsidePhrases, {
  wrong: {
    'apps/server/src/orders/stop.ts': "export const why = '余额不足';\n",
    'apps/console/src/orders/OrderPage.tsx': [
      'export const OrderPage = () => (',
      '  <Page title="Orders" aria-label={"All orders"}>',
      '    Loading <b>{"soon"}</b>',
      '    <>Done</>',
      '  </Page>',
      ');',
    ].join('\n'),
  },
  says: [
    'apps/server/src/orders/stop.ts:1 "余额不足" outside the phrases',
    'apps/console/src/orders/OrderPage.tsx:2 "Loading" outside the phrases',
    'apps/console/src/orders/OrderPage.tsx:2 "Orders" outside the phrases',
    'apps/console/src/orders/OrderPage.tsx:2 "All orders" outside the phrases',
    'apps/console/src/orders/OrderPage.tsx:3 "soon" outside the phrases',
    'apps/console/src/orders/OrderPage.tsx:4 "Done" outside the phrases',
  ],
  right: {
    'apps/server/src/orders/stop.ts':
      "/** 余额不足 is what the screen says. */\nexport const why = 'balance.insufficient';\n",
    'apps/console/src/orders/OrderPage.tsx':
      "export const OrderPage = () => <Page title={phrase('a.b')} className=\"wide\">{phrase('a.b')} · 12 kWh, 3 V · <i>Voltdeck</i> — {1}</Page>;",
    'packages/phrases/src/en/orders.ts': "export const orders = { 'orders.title': 'Orders' };",
    'apps/console/src/orders/OrderListPage.tsx':
      'export const OrderListPage = () => <ListPage title="orders.title" />;',
    'apps/console/src/orders/order-page.test.ts': "expect('订单').toBe('订单');",
    'tools/world/src/names.ts': "export const site = '西湖充电站';",
  },
});

rule(routesPermitted, {
  wrong: {
    'packages/contract/src/orders.ts': [
      "export const listOrders = route({ method: 'GET', path: '/orders', permission: 'order.read' });",
      "export const openOrders = route({ method: 'GET', path: '/orders/{id}' });",
      "export const getOrder = route({ method: 'GET', path: '/orders/{number}', permission: 'order.read' });",
    ].join('\n'),
  },
  says: [
    'packages/contract/src/orders.ts:2 openOrders has no permission',
    'packages/contract/src/orders.ts:3 getOrder answers at GET /orders/{}, as openOrders does',
  ],
  right: {
    'packages/contract/src/orders.ts':
      "export const a = route({ method: 'GET', path: '/orders', permission: 'order.read' });\nexport const b = route({ method: 'POST', path: '/orders', permission: 'public' });",
  },
});

const twoRoutes = {
  'packages/contract/src/orders.ts':
    "export const listOrders = route({ permission: 'a' });\nexport const getOrder = route({ permission: 'a' });",
};

rule(routesBound, {
  wrong: {
    ...twoRoutes,
    'apps/server/src/orders/routes.ts':
      "import { getOrder, listOrders } from '@voltdeck/contract/orders';\nhttp.bind(listOrders, list);\nhandle.bind(getOrder);",
    'apps/server/src/orders/routes.test.ts':
      "import { getOrder } from '@voltdeck/contract/orders';\nhttp.bind(getOrder, get);",
    'apps/server/src/cards/routes.ts':
      "import { getOrder } from '@voltdeck/contract/cards';\nhttp.bind(getOrder, get);",
  },
  says: ['packages/contract/src/orders.ts:2 getOrder is not bound by the server'],
  right: {
    ...twoRoutes,
    'apps/server/src/orders/routes.ts':
      "import { getOrder as one } from '@voltdeck/contract/orders';\nimport * as orders from '@voltdeck/contract/orders';\nhttp.bind(one, get);\nbind(orders.listOrders, list);",
  },
});

const rulesFile = 'tests/browser/rules-guard.test.ts';

rule(conformanceProven, {
  wrong: {
    'docs/conformance.md': [
      '# Conformance',
      '| no. | the specification says | proof |',
      '|---|---|---|',
      `| 2.1 | first | ${rulesFile} › is there |`,
      `| 2.2 | second | ${rulesFile} › is gone |`,
      '| 2.3 | third | tests/browser/gone.test.ts › is there |',
      '| 2.3 | fourth | not built yet: |',
      '| 2.4 | fifth | |',
      `| 2.5 | sixth | ${rulesFile} › is there<br>${rulesFile} › 4 wheels |`,
      `| 2.6 | seventh | ${rulesFile} |`,
      `| 2.7 | eighth | tools/tidy/src/rule.ts › is there |`,
      '| 2.8 | ninth | deviates: it is kinder |',
    ].join('\n'),
    [rulesFile]: "test('is there', () => {});\ntest.each([2, 3])('%i wheels', () => {});\n",
    'tools/tidy/src/rule.ts': "test('is there', () => {});",
  },
  says: [
    `docs/conformance.md:5 2.2 names a test that ${rulesFile} does not have: is gone`,
    'docs/conformance.md:6 2.3 names tests/browser/gone.test.ts, which is no test file here',
    'docs/conformance.md:7 2.3 is there twice',
    'docs/conformance.md:7 2.3 names not built yet:, which is no test file here',
    'docs/conformance.md:8 2.4 names no test and does not say "not built yet: …"',
    `docs/conformance.md:9 2.5 names a test that ${rulesFile} does not have: 4 wheels`,
    `docs/conformance.md:10 2.6 names a test that ${rulesFile} does not have: `,
    'docs/conformance.md:11 2.7 names tools/tidy/src/rule.ts, which is no test file here',
    'docs/conformance.md:12 2.8 deviates and names no test',
    `${rulesFile}:0 no row of docs/conformance.md names "%i wheels"`,
  ],
  right: {
    'docs/conformance.md': [
      `| 2.1 | a \\| b | ${rulesFile} › shell › a \\| b<br>not built yet: the rest comes with the map |`,
      `| 2.2 | each | ${rulesFile} › 3 wheels<br>deviates: two would be unsafe |`,
    ].join('\n'),
    [rulesFile]:
      "describe('shell', () => { test('a | b', () => {}); });\ntest.each([2, 3])('%i wheels', () => {});\ntest(name, () => {});",
  },
});

describe('a test is named', () => {
  const [source] = sampleRepository({
    'tests/browser/a.test.ts': [
      'const maxKib = 90;',
      "const screens: readonly Screen[] = [{ name: 'home', path: () => '/' }, ...more];",
      "const pairs = [['ten', 10], ['far', far()]] as const;",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
      'test(`weighs ${maxKib} KiB in ${language}`, () => {});',
      "describe.each([{ colours: 'dark' }] as const)('in $colours:', () => {",
      "  test.each(screens)('$name', () => {});",
      '});',
      "test.each(pairs)('%s is about %d and %%', () => {});",
      "test.each(shortest([['Ann'], ['Bob']]))('%s waits', () => {});",
      "it.concurrent('one ' + 'two', () => {});",
      'test.each`a | b`("taken by $a table", () => {});',
    ].join('\n'),
  }).sources;
  if (source === undefined) throw new Error('the sample has no source');
  const titles = testTitlesOf(source);
  const isNamed = (text: string) => titles.some((title) => namesTest(title, text));

  test.each([
    'weighs 90 KiB in en',
    '$name',
    'home',
    'in dark: › home',
    'in $colours: › $name',
    'ten is about 10 and %',
    'far is about 4.5 and %',
    'one two',
    'Bob waits',
    'taken by any table',
  ])('%s', (text) => {
    expect(isNamed(text)).toBe(true);
  });

  test.each([
    'weighs 91 KiB in en',
    'weighs 90 KiB in ',
    'away',
    'in light: › home',
    'six is about 10 and %',
    'one',
    'Eve waits',
    'home › one two',
  ])('a test is never named by: %s', (text) => {
    expect(isNamed(text)).toBe(false);
  });
});

const lockOf = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });

rule(lockFile, {
  wrong: {
    'package.json': '{ "dependencies": { "pg": "^8" } }',
    'apps/server/package.json': '{ "name": "s", "devDependencies": { "ws": "^8" } }',
    'package-lock.json': lockOf({
      '': { dependencies: { pg: '^8' } },
      'apps/server': {},
      'node_modules/pg': { resolved: 'https://registry.example.org/pg.tgz', optionalDependencies: { 'pg-mac': '1' } },
    }),
  },
  says: [
    'package-lock.json:0 node_modules/pg comes from registry.example.org',
    'package-lock.json:0 pg-mac is missing, which node_modules/pg may need on another platform',
    'package-lock.json:0 devDependencies of apps/server/package.json are others by now; run npm install',
  ],
  right: {
    'package.json': '{ "dependencies": { "ws": "^8", "pg": "^8" } }',
    'package-lock.json': lockOf({
      '': { dependencies: { pg: '^8', ws: '^8' } },
      'node_modules/pg': { optionalDependencies: { 'pg-mac': '1' } },
      'node_modules/pg-mac': {},
      'node_modules/@voltdeck/units': { resolved: 'packages/units', link: true },
    }),
  },
});

rule(migrationsInOrder, {
  wrong: {
    'apps/server/migrations/0001_foundation.sql': '',
    'apps/server/migrations/0002_orders.sql': '',
    'apps/server/migrations/0002_sites.sql': '',
    'apps/server/migrations/0005_cards.sql': '',
  },
  says: [
    'apps/server/migrations/0002_sites.sql:0 stands where number 0003 belongs',
    'apps/server/migrations/0005_cards.sql:0 stands where number 0004 belongs',
  ],
  right: {
    'apps/server/migrations/0002_orders.sql': '',
    'apps/server/migrations/0001_foundation.sql': '',
    'apps/server/migrations/README.md': '',
  },
});

const machine = {
  root: '/srv/builds/voltdeck',
  home: '/home/somebody',
  host: 'box7.example.org',
  registry: 'npm.example.org',
};

rule(noMachinePaths(machine), {
  wrong: {
    'README.md': 'cd /srv/builds/voltdeck\nls /srv/builds/other\n',
    'packages/units/src/a.ts': '// on box7.example.org, from npm.example.org, in /home/somebody\n',
  },
  says: [
    'README.md:1 names "/srv/builds/voltdeck"',
    'README.md:1 names "/srv/builds/"',
    'README.md:2 names "/srv/builds/"',
    'packages/units/src/a.ts:1 names "/home/somebody"',
    'packages/units/src/a.ts:1 names "npm.example.org"',
    'packages/units/src/a.ts:1 names "box7.example.org"',
  ],
  right: { 'README.md': 'DATA_DIR=/var/lib/voltdeck npm start\n' },
});

rule(nothingLeftBehind, {
  wrong: {
    'packages/units/src/a.ts': ['// TO', 'DO later\n// @ts-', 'ignore\n'].join(''),
    'packages/units/src/a.test.ts': ['test.', "skip('x', () => {});\ndescribe.", "only('y', () => {});"].join(''),
  },
  says: [
    `packages/units/src/a.ts:1 ${'TO'}${'DO'} left for later; finish it or say it in the docs`,
    `packages/units/src/a.ts:2 @ts-${'ignore'} silences the compiler`,
    `packages/units/src/a.test.ts:1 test.${'skip'} keeps tests from running`,
    `packages/units/src/a.test.ts:2 describe.${'only'} keeps tests from running`,
  ],
  right: { 'packages/units/src/a.ts': 'export const todoList = 1;\n' },
});

test('every rule that runs has a sample that breaks it', () => {
  expect(
    rulesFor(machine)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...tested].sort());
});

test('a checkout in a path that every machine has reveals nothing', async () => {
  const plain = noMachinePaths({ root: '/app', home: '/root', host: 'box', registry: 'registry.npmjs.org' });
  expect(await said(plain, { 'README.md': '/app /root box registry.npmjs.org /tmp/' })).toEqual([]);
});

describe('a file', () => {
  test('a file that cannot be parsed stops the check and is named', () => {
    expect(() => sampleRepository({ 'packages/units/src/a.ts': 'export const = 1' })).toThrow(
      /packages\/units\/src\/a\.ts cannot be parsed/,
    );
  });

  test('a file knows its lines and its workspace', () => {
    expect([0, 1, 2, 3].map((at) => lineOf('a\nb\n', at))).toEqual([1, 1, 2, 2]);
    expect(workspaceOf('packages/units/src/a.ts')).toBe('packages/units');
    expect(workspaceOf('docs/a.md')).toBeNull();
  });
});
