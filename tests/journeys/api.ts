import { randomUUID } from 'node:crypto';
import { until } from './until.ts';

/**
 * The API as an external script sees it. The names promised to the outside are repeated here on purpose; nothing of the
 * product is imported.
 */

export type Period = 'sharp' | 'peak' | 'flat' | 'valley';
export type Language = 'zh-CN' | 'en';

export type TariffForm = {
  name: string;
  kind: 'energy';
  /** Prices in 1e-5 yuan per kWh. */
  prices: Record<Period, { electricity: number; service: number }>;
  slots: { start: string; end: string; period: Period }[];
};

export type OrderLine = {
  from: string;
  to: string;
  period: Period;
  energyWh: number;
  electricityPriceE5: number;
  servicePriceE5: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
};

export type Order = {
  id: number;
  number: string;
  state: 'placed' | 'charging' | 'settling' | 'completed' | 'cancelled';
  paymentState: string;
  stationNumber: string;
  connectorNumber: number;
  cardNumber: string | null;
  abnormal: boolean;
  energyWh: number;
  amountFen: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
  paidFen: number;
  refundedFen: number;
  startedAt: string | null;
  endedAt: string | null;
  stopReason: string | null;
};

export type OrderDetail = Order & {
  lines: OrderLine[];
  heldFen: number;
  flags: { rule: string; evidence: Record<string, unknown> }[];
  steps: { step: string; at: string | null }[];
  refunds: { amountFen: number }[];
};

export type Connector = { id: number; number: number; state: string };
export type Station = { id: number; number: string; online: boolean; password: string };
export type Proof = { sumFen: number; accounts: number; transfers: number; mismatches: number };

export type Answer<Data> = {
  httpStatus: number;
  message: { status: number; code: number; message: string; error?: string };
  data: Data;
};

/** Every write of a script has its own idempotency key; null sends none. */
export type Asked = { language?: Language; idempotencyKey?: string | null };

export type Api = {
  /** Sends a request and returns the answer, including refusals. The body is JSON, or a form with a file. */
  ask<Data>(method: string, path: string, body?: unknown, asked?: Asked): Promise<Answer<Data>>;
  get<Data>(path: string): Promise<Data>;
  /** @throws Error with the server's message when it refuses. */
  post<Data>(path: string, body?: unknown, asked?: Asked): Promise<Data>;
  createTariff(form: TariffForm): Promise<number>;
  createSite(name: string): Promise<number>;
  createStation(station: {
    number: string;
    siteId: number;
    tariffId: number;
    ports?: number;
    protocol?: 'ocpp1.6' | 'ykc';
  }): Promise<Station>;
  /** A card of 16 hexadecimal digits with this balance. */
  createCard(number: string, balanceFen: number): Promise<number>;
  createCustomer(phone: string, balanceFen: number): Promise<number>;
  recharge(
    whose: { cardNumber: string } | { customerPhone: string },
    amountFen: number,
    asked?: Asked,
  ): Promise<{ id: number; balanceAfterFen: number }>;
  balanceOf(card: { cardId: number } | { customerId: number }): Promise<{ balanceFen: number; heldFen: number }>;
  ordersOf(filter: { cardNumber: string } | { stationNumber: string }): Promise<Order[]>;
  order(id: number): Promise<OrderDetail>;
  /** The times (ISO, UTC) and energy of a charge's readings. */
  readingsOf(orderId: number): Promise<{ at: string; energyWh: number | null; doubt: string | null }[]>;
  connectorsOf(stationId: number): Promise<Connector[]>;
  proof(): Promise<Proof>;
  command(stationId: number, command: Record<string, unknown>, asked?: Asked): Promise<Answer<Record<string, unknown>>>;
};

const requestLimitMs = 45_000;
/** The back office's number in the specification. */
const platform = 4;

/** Signs in as the console does: a form, and afterwards the header `token`. */
export async function signIn(url: string, who: { userName: string; password: string }): Promise<Api> {
  const form = new URLSearchParams({ ...who, platForm: String(platform) });
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(requestLimitMs),
  });
  const { data, message } = (await response.json()) as Answer<{ token: string } | null>;
  if (data === null) throw new Error(`sign-in refused: ${message.message}`);
  return apiOf(url, data.token);
}

/**
 * Signs a customer in as a phone does.
 * @param readCode reads the code of the newest short message to the phone; null while none came
 */
export async function signInCustomer(url: string, phone: string, readCode: () => string | null): Promise<Api> {
  // Networks get few codes a day; this one is the phone's own.
  const own = { 'x-forwarded-for': `198.51.100.${Number(phone.slice(-2)) + 1}` };
  const post = async <Data>(path: string, body: object): Promise<Data> => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...own },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestLimitMs),
    });
    const { data, message } = (await response.json()) as Answer<Data | null>;
    if (data === null) throw new Error(`POST ${path} refused: ${message.message}`);
    return data;
  };
  await post('/my/codes', { phone });
  const code = await until('the code arrives', readCode);
  const { token } = await post<{ token: string }>('/my/sessions', { phone, code });
  return apiOf(url, token);
}

function apiOf(url: string, token: string): Api {
  const ask: Api['ask'] = async <Data>(method: string, path: string, body?: unknown, asked: Asked = {}) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        token,
        language: asked.language ?? 'en',
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' || asked.idempotencyKey === null
          ? {}
          : { 'idempotency-key': asked.idempotencyKey ?? randomUUID() }),
      },
      body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(requestLimitMs),
    });
    const answer = (await response.json()) as Omit<Answer<Data>, 'httpStatus'>;
    return { ...answer, httpStatus: response.status };
  };
  const dataOf = async <Data>(method: string, path: string, body?: unknown, asked?: Asked): Promise<Data> => {
    const answer = await ask<Data>(method, path, body, asked);
    if (answer.httpStatus !== 200) {
      throw new Error(`${method} ${path} gave ${answer.httpStatus}: ${JSON.stringify(answer.message)}`);
    }
    return answer.data;
  };
  const get = <Data>(path: string) => dataOf<Data>('GET', path);
  const post = <Data>(path: string, body?: unknown, asked?: Asked) => dataOf<Data>('POST', path, body ?? {}, asked);
  const api: Api = {
    ask,
    get,
    post,
    createTariff: async (form) => (await post<{ id: number }>('/tariffs', form)).id,
    async createSite(name) {
      const site = await post<{ id: number }>('/sites', {
        name,
        regionCode: '330106',
        address: '1 Lake Road',
        longitude: 120.13,
        latitude: 30.26,
        parkingFee: 'free',
        invoiceAvailable: true,
      });
      return site.id;
    },
    createStation: ({ number, siteId, tariffId, ports = 1, protocol = 'ocpp1.6' }) =>
      post<Station>('/stations', {
        number,
        name: `Station ${number}`,
        type: 'fast',
        equipmentType: 'four-wheel',
        protocol,
        siteId,
        connectorCount: ports,
        maxPowerKw: 120,
        cardTariffId: tariffId,
        wechatTariffId: tariffId,
      }),
    async createCard(number, balanceFen) {
      const { id } = await post<{ id: number }>('/cards', { number });
      if (balanceFen > 0) await api.recharge({ cardNumber: number }, balanceFen);
      return id;
    },
    async createCustomer(phone, balanceFen) {
      const { id } = await post<{ id: number }>('/customers', { phone, nickname: `Driver ${phone.slice(-4)}` });
      if (balanceFen > 0) await api.recharge({ customerPhone: phone }, balanceFen);
      return id;
    },
    recharge: (whose, amountFen, asked) => post('/recharges', { ...whose, amountFen }, asked),
    balanceOf: (whose) => get('cardId' in whose ? `/cards/${whose.cardId}` : `/customers/${whose.customerId}`),
    async ordersOf(filter) {
      const query = new URLSearchParams({ ...filter, pageSize: '100' });
      return (await get<{ items: Order[] }>(`/orders?${query}`)).items;
    },
    order: (id) => get(`/orders/${id}`),
    readingsOf: (orderId) => get(`/orders/${orderId}/readings`),
    connectorsOf: async (stationId) =>
      (await get<{ items: Connector[] }>(`/connectors?stationId=${stationId}&pageSize=100`)).items,
    proof: () => get('/ledger/proof'),
    command: (stationId, command, asked) => ask('POST', `/stations/${stationId}/commands`, command, asked),
  };
  return api;
}
