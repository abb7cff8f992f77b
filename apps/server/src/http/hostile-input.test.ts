import type { Envelope } from '@voltdeck/contract/envelope';
import type { Route } from '@voltdeck/contract/route';
import { routes } from '@voltdeck/contract/routes';
import { dayMs, instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { partReader } from './bind.ts';
import { adminPassword, openTestApi, type TestApi } from './test-api.ts';
import { makeOrder, makePlace } from './test-records.ts';

/**
 * Everything an administrator may call, with one field at a time holding what no honest client sends; every run sends
 * the same. Streams are left out because they answer until the connection ends, and uploads have tests of their own
 * (upload.test.ts, stations/imports/import.test.ts, cards/imports/import.test.ts).
 */
const leftOut = [
  'checkCardImport',
  'uploadFile',
  'streamEvents',
  'checkGridBillImport',
  'checkGroupMemberImport',
  'tailInteractionLogs',
  'checkStationImport',
];

/** A part of a JSON text that `JSON.stringify` would not write. */
class Raw {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

const tooDeep = 5_000;

/** Every value in an address is text. */
const hostileTexts = [
  '\0',
  '\ud800',
  '\u202e\uffff\u{10ffff}\'"`;--\\',
  'y'.repeat(5_000),
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-14:00',
  '2026-02-30T00:00:00Z',
  '999999999999999_999999999999999',
  '9223372036854775808',
  '2147483648',
  '1e400',
  '__proto__',
] as const;

/** A body also has values of other kinds. */
const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  Number.MAX_SAFE_INTEGER,
  2_147_483_648,
  -2_147_483_649,
  32_768,
  new Raw('1e400'),
  new Raw('-0'),
  0.1 + 0.2,
  null,
  { '\0': '\0' },
  { toString: 1, hasOwnProperty: null },
  new Raw('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
  new Raw(`${'['.repeat(tooDeep)}${']'.repeat(tooDeep)}`),
];

/** Tried one by one where a field's own check does not reveal what it accepts. */
const wellMeant: readonly unknown[] = [
  1,
  100,
  '1',
  '13800000000',
  'A1B2C3D4E5F60718',
  '2026-11-21T00:00:00.000Z',
  '2026-11-21',
  '00:00',
  '330106',
  'https://voltdeck.example',
  'a text',
  'abcdef123456',
  '1_1',
  'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6',
  true,
  'true',
];

/** Values that must match others, which the schema alone does not say. */
const agreeing: Readonly<Record<string, unknown>> = {
  latitude: 30,
  longitude: 120,
  platForm: 4,
  frontendUrl: '/hostile',
  signInNetworks: ['203.0.113.0/24'],
  parentCode: null,
  cardNumber: 'AAAAAAAAAAAA0001',
  pictureKeys: [],
  facilities: ['wifi'],
  pictures: [],
  effectiveAt: '2026-12-24T00:00:00.000Z',
  public: false,
  secret: false,
  dataScope: 'platform',
  menuCodes: ['home'],
  agentId: null,
  positionId: 1,
  customerPhone: undefined,
  cardId: undefined,
  customerId: undefined,
  vin: 'LSVAU2180N2183294',
  email: 'buyer@example.com',
  taxNumber: '91350100M000100Y43',
  operatorId: 'MA0HOSTIL',
  dataSecret: '0123456789abcdef',
  dataSecretIv: '0123456789abcdef',
  allowedAddresses: ['203.0.113.0/24'],
  interfaceUrls: { query_token: 'https://voltdeck.example' },
  start: '00:00',
  end: '24:00',
  fromW: 0,
  toW: null,
  maxPowerPercent: 50,
  password: 'lamps-by-the-lake',
  newPassword: 'lamps-by-the-sea',
  confirmPassword: 'lamps-by-the-lake',
  code: '123456',
  action: 'card.create',
  query: { number: '1' },
  list: '/stations',
  emails: '',
  month: '2026-11',
};

/** A bill without periods, registers and picture. */
const lumpBill = {
  sharpWh: null,
  peakWh: null,
  flatWh: null,
  valleyWh: null,
  registerFromWh: null,
  registerToWh: null,
  fileId: null,
};

/** Fields that one route takes only without, or only with, each other. */
const agreeingIn: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // The rule of its agent prices the station there, so the site stays with that agent.
  changeSite: { agentId: 1 },
  // An agent's people never have the position of the platform's.
  createAgent: { licenceFileId: null, payoutKind: null, parentId: null, positionId: undefined },
  changeAgent: { licenceFileId: null, payoutKind: null, parentId: null, positionId: undefined },
  startRehearsal: { tariffId: undefined, from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' },
  changeStations: { query: undefined, months: undefined },
  startStationCommands: { stationIds: undefined },
  startLabelSheet: { connectorIds: undefined },
  changeSettlementTerms: { agentId: undefined },
  createGridBill: lumpBill,
  changeGridBill: lumpBill,
  createRecharge: { groupId: undefined },
  setCardHolder: { customerPhone: '13900000001' },
  createWithdrawal: { customerPhone: '13900000001' },
  createTransfer: {
    fromCardNumber: 'AAAAAAAAAAAA0001',
    fromCardId: undefined,
    fromCustomerPhone: undefined,
    fromCustomerId: undefined,
    toCardNumber: 'AAAAAAAAAAAA0002',
    toCardId: undefined,
    toCustomerPhone: undefined,
    toCustomerId: undefined,
  },
};

type Schema = z.ZodMiniType;
type Def = {
  shape?: Record<string, Schema>;
  innerType?: Schema;
  element?: Schema;
  options?: readonly Schema[];
  entries?: Record<string, string | number>;
  values?: readonly unknown[];
  keyType?: Schema;
  valueType?: Schema;
  in?: Schema;
  out?: Schema;
};
const defOf = (schema: Schema) => schema._zod.def as unknown as Def;

/** Values that the schema accepts for each kind of body: the fields beside the hostile one. */
function samplesOf(schema: Schema, agreed = agreeing): unknown[] {
  const def = defOf(schema);
  const within = (inner: Schema) => samplesOf(inner, agreed);
  if (def.shape !== undefined) {
    const fields = Object.entries(def.shape).map(([name, field]) => {
      const isAgreed = name in agreed && safeParse(field, agreed[name]).success;
      return [name, isAgreed ? [agreed[name]] : within(field)] as const;
    });
    const most = Math.max(1, ...fields.map(([, samples]) => samples.length));
    return Array.from({ length: most }, (_, index) =>
      Object.fromEntries(fields.map(([name, samples]) => [name, samples[Math.min(index, samples.length - 1)]])),
    );
  }
  if (def.options !== undefined) return def.options.flatMap(within);
  if (def.element !== undefined) return within(def.element).map((item) => [item]);
  if (def.innerType !== undefined) return within(def.innerType);
  if (def.keyType !== undefined && def.valueType !== undefined) {
    return [{ [String(within(def.keyType)[0])]: within(def.valueType)[0] }];
  }
  // A list written "a,b" is parsed as a text and then as a list.
  const listed = def.out === undefined ? [] : within(def.out).flat();
  const candidates = [...Object.values(def.entries ?? {}), ...(def.values ?? []), ...listed, ...wellMeant];
  const accepted = candidates.find((candidate) => candidate !== undefined && safeParse(schema, candidate).success);
  return [accepted ?? (def.in === undefined ? undefined : within(def.in)[0])];
}

const agreedIn = (name: string) => ({ ...agreeing, ...agreeingIn[name] });

type Part = 'params' | 'query' | 'body';
type Sample = Record<Part, unknown>;
type Target = { part: Part; path: readonly string[]; sample: Sample };

/**
 * Every field, and every value within one, of each kind of body. A field with the same value in several kinds of body is
 * the same field to all of them, and is attacked in the first.
 */
function targetsOf(name: string, route: Route): Target[] {
  const agreed = agreedIn(name);
  const first = (part: Part) => (route[part] === undefined ? undefined : samplesOf(route[part], agreed)[0]);
  const usual: Sample = { params: first('params'), query: first('query'), body: first('body') };
  const bodies = route.body === undefined ? [] : samplesOf(route.body, agreed);
  const of = (part: Part, sample: Sample) => placesIn(sample[part]).map((path) => ({ part, path, sample }));
  const seen = new Set<string>();
  const isNew = ({ path, sample }: Target) => {
    const place = `${path.join('.')} ${JSON.stringify(valueAt(sample.body, path))}`;
    const known = seen.has(place);
    seen.add(place);
    return !known;
  };
  return [
    ...of('params', usual),
    ...of('query', usual),
    ...bodies.flatMap((body) => of('body', { ...usual, body })).filter(isNew),
    ...(route.body === undefined ? [] : [{ part: 'body' as const, path: [], sample: usual }]),
  ];
}

function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [] : [at];
  return [
    ...(at.length === 0 ? [] : [at]),
    ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name])),
  ];
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], given);
}

function withValue(given: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = withValue((given as Record<string, unknown>)[name], rest, value);
  return Array.isArray(given) ? [inner] : { ...(given as object), [name]: inner };
}

function jsonOf(value: unknown): string {
  const raws: string[] = [];
  const text = JSON.stringify(value, (_, inner) =>
    inner instanceof Raw ? `raw ${raws.push(inner.json) - 1} raw` : inner,
  );
  return text.replaceAll(/"raw (\d+) raw"/g, (_, index: string) => raws[Number(index)] ?? '');
}

/** As a careless client encodes it: half of a surrogate pair as its three bytes. */
function encodeLoosely(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(character);
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
      return Buffer.from(bytes).toString('hex').replaceAll(/../g, '%$&');
    })
    .join('');
}

function pairsOf(given: unknown): string {
  return Object.entries((given ?? {}) as object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeLoosely(value)}`)
    .join('&');
}

let api: TestApi;
let token = '';
let calls = 0;
let before = '';
const startedAt = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = startedAt;
  const agentId = await api.addAgent('Hostile');
  const place = await makePlace(api.database, agentId, 'hostile');
  expect(place.cardNumber).toBe(agreeing.cardNumber);
  expect(place.phone).toBe(agreeingIn.createWithdrawal?.customerPhone);
  const another = await makePlace(api.database, agentId, 'hostile receiver');
  expect(another.cardNumber).toBe(agreeingIn.createTransfer?.toCardNumber);
  await makeOrder(api.database, place, instant(startedAt - dayMs));
  await api.post('/groups', { name: 'Hostile fleet', contact: 'Li', contactPhone: '13900000009' });
  await api.database.db
    .insertInto('files')
    .values({
      key: 'hostile',
      name: 'hostile.png',
      content_type: 'image/png',
      size_bytes: 1,
      sha256: Buffer.alloc(32),
      purpose: 'advert',
      public: true,
      created_at: startedAt,
    })
    .execute();
  token = (await api.logIn('admin', adminPassword)).data.token;
  const set = { list: '/stations', name: 'Hostile', query: 'online=true' };
  expect((await api.ask('PUT', '/list-views/filter-sets', { token, body: set })).data).toMatchObject({ id: 1 });
});
afterAll(() => api.close());

/** A list's export has the same fields, which become the same SQL: a few texts show that they do. */
const ofExports = hostileTexts.slice(0, 4);

function valuesFor(route: Route, { part, path }: Target): readonly unknown[] {
  if (part === 'body') return hostileValues;
  const list = [...routes.values()].find(({ method, path }) => method === 'GET' && route.path === `${path}/export`);
  const fieldOf = (from: Route | undefined) => {
    const query = from?.query;
    return query === undefined ? undefined : defOf(query).shape?.[path[0] ?? ''];
  };
  const isShared = part === 'query' && fieldOf(list) !== undefined && fieldOf(list) === fieldOf(route);
  return isShared ? ofExports : hostileTexts;
}

type Answer = { status: number; error: string | undefined; fields: readonly { path: string; code: string }[] };

async function ask(route: Route, { part, path, sample }: Target, value: unknown): Promise<Answer> {
  calls += 1;
  const given = { ...sample, [part]: withValue(sample[part], path, value) };
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeLoosely((given.params as Record<string, unknown>)[name]),
  );
  const isForm = route.bodyKind === 'form';
  const body = given.body === undefined ? {} : { payload: isForm ? pairsOf(given.body) : jsonOf(given.body) };
  const response = await api.app.inject({
    method: route.method,
    url: `/api${address}?${pairsOf(given.query)}`,
    headers: {
      token,
      'idempotency-key': `hostile-${calls}`,
      ...(given.body === undefined
        ? {}
        : { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    ...body,
  });
  const isEnvelope = String(response.headers['content-type']).startsWith('application/json');
  const message = isEnvelope && response.statusCode >= 400 ? response.json<Envelope<null>>().message : null;
  return { status: response.statusCode, error: message?.error, fields: message?.fields ?? [] };
}

/** Refusals that are recorded on purpose: a wrong password at an open console, a command that the station refused. */
const recordedRefusals = ['changePassword', 'commandStation'];

/** What a refused call must leave unchanged. */
async function traces(): Promise<string> {
  const { rows } = await api.database.pool.query<{ traces: string }>(
    `select (select count(*) from audit_entries) || ' ' || (select count(*) from ledger_transfers) || ' ' ||
            (select count(*) from ledger_postings) || ' ' || (select count(*) from idempotency_keys) as traces`,
  );
  return rows[0]?.traces ?? '';
}

/** Answers that do not count: the call ended its own session or reached a limit. */
async function askAnew(route: Route, target: Target, value: unknown): Promise<Answer> {
  const answer = await ask(route, target, value);
  const isSignedOut = answer.status === 401 && route.permission !== 'public';
  if (answer.status !== 429 && !isSignedOut) return answer;
  api.clock.now = instant((api.clock.now ?? startedAt) + 20 * minuteMs);
  token = (await api.logIn('admin', adminPassword)).data.token;
  before = await traces();
  return ask(route, target, value);
}

const lookedAt = [...routes].filter(([name]) => !leftOut.includes(name)).map(([name, route]) => ({ name, route }));

test('every route but streams and uploads gets hostile input', () => {
  const others = [...routes].filter(([, route]) => route.answerKind === 'stream' || route.bodyKind === 'multipart');
  expect(others.map(([name]) => name)).toEqual(leftOut);
});

test('every field has valid values for the fields beside it', () => {
  const unacceptable = lookedAt.flatMap(({ name, route }) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = route[part];
      const isAccepted =
        schema === undefined || samplesOf(schema, agreedIn(name)).every((sample) => safeParse(schema, sample).success);
      return isAccepted ? [] : [`${name} ${part}`];
    }),
  );
  expect(unacceptable).toEqual([]);
});

test('a number in an address is written with decimal digits alone', async () => {
  const odd = ['0x7', '7e0', ' 7', '7 ', '+7', '', '0b111', '７'];
  const taken = lookedAt.flatMap(({ name, route }) =>
    (['params', 'query'] as const).flatMap((part) => {
      const schema = route[part];
      return Object.entries(schema === undefined ? {} : (defOf(schema).shape ?? {})).flatMap(([field, inner]) => {
        const isNumber = ['1', '7', '100'].some((text) => typeof safeParse(inner, text).data === 'number');
        const isRefused = (text: string) =>
          partReader(schema)({ [field]: text }).faults.some(({ path }) => path === field);
        return isNumber ? odd.filter((text) => !isRefused(text)).map((text) => `${name} ${field}=${text}`) : [];
      });
    }),
  );
  expect(taken).toEqual([]);
  for (const text of ['0x1', '1e0', ' 1']) {
    const headers = { token, 'accept-language': 'en' };
    const answer = await api.app.inject({ method: 'GET', url: `/api/orders/${encodeURIComponent(text)}`, headers });
    expect([answer.statusCode, answer.json<Envelope<null>>().message.fields?.[0]?.path]).toEqual([422, 'id']);
  }
});

/** What an earlier request of the test has taken: a name, or the days of a meter. */
const takenCodes: readonly string[] = ['taken', 'bill_overlaps'];
/** A start that does not fit its end is named at the end. */
const startCodes: readonly string[] = ['not_after_start'];

test.each(lookedAt)(
  '$name: hostile fields are answered or refused by name, and a refusal changes nothing',
  { timeout: 300_000 },
  async ({ name, route }) => {
    const faults: string[] = [];
    before = await traces();
    for (const target of targetsOf(name, route)) {
      for (const value of valuesFor(route, target)) {
        const { status, error, fields } = await askAnew(route, target, value);
        const shown = `${target.part} ${target.path.join('.')} = ${jsonOf(value).slice(0, 60)}: ${status} ${error}`;
        if (status >= 500) faults.push(shown);
        if (
          error === 'request.invalid' &&
          !fields.some(
            ({ path, code }) =>
              takenCodes.includes(code) ||
              (target.path.at(-1) === 'from' && startCodes.includes(code)) ||
              isAbout(path, target),
          )
        ) {
          faults.push(`${shown} names ${fields.map(({ path }) => path).join(', ') || 'no field'}`);
        }
        if (status < 400) before = await traces();
        else if (route.method !== 'GET' && !recordedRefusals.includes(name) && (await traces()) !== before) {
          faults.push(`${shown} left traces`);
          before = await traces();
        }
      }
    }
    expect(faults).toEqual([]);
  },
);

/** Fields that are faulty only together are reported at one of them. */
const toldAt: Readonly<Record<string, string>> = {
  password: 'confirmPassword',
  // The end of a bill is told what its beginning lacks, and the sum what a period does not add up to.
  fromOn: 'toOn',
  sharpWh: 'energyWh',
  peakWh: 'energyWh',
  flatWh: 'energyWh',
  valleyWh: 'energyWh',
  registerFromWh: 'registerToWh',
  registerToWh: 'registerFromWh',
};

/** The field itself, one within it, or one that contains it. */
function isAbout(path: string, target: Target): boolean {
  const name = target.path.join('.');
  if (toldAt[name] === path) return true;
  return target.path.length === 0 || path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`);
}
