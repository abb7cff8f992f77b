import { RPCClient } from 'ocpp-rpc';

const callLimitMs = 20_000;

type AnswerOfStation = (
  action: string,
  payload: Record<string, unknown>,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/**
 * A charging station implemented by an independent library, which validates our answers against OCPP's schemas. Each
 * connection is a new client; the station reconnects when told to.
 */
export type LibraryStation = {
  /**
   * Sends a call and returns its result. Throws on a refusal, a lost connection, or an answer that violates the schema.
   */
  call(action: string, payload: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Sends the last frame again, message id included. Its answer is ignored. */
  repeatLastFrame(): void;
  /** Calls from the server, oldest first. */
  readonly asked: readonly { action: string; payload: Record<string, unknown> }[];
  /** Answers every call without an answer of its own. */
  answerBy(answer: AnswerOfStation): void;
  /** Breaks the connection without a close frame. */
  cut(): Promise<void>;
  connect(): Promise<void>;
  readonly isConnected: boolean;
  close(): Promise<void>;
};

export async function libraryStation(
  ocppUrl: string,
  station: { number: string; password: string | null },
): Promise<LibraryStation> {
  const asked: { action: string; payload: Record<string, unknown> }[] = [];
  let answer: AnswerOfStation = () => ({ status: 'Accepted' });
  let lastFrame = '';
  let client: RPCClient | null = null;

  const connect = async () => {
    const opened = new RPCClient({
      endpoint: ocppUrl,
      identity: station.number,
      password: station.password,
      protocols: ['ocpp1.6'],
      strictMode: true,
      strictModeValidators: [],
      reconnect: false,
      maxReconnects: 0,
      callTimeoutMs: callLimitMs,
      callConcurrency: 1,
      pingIntervalMs: 0,
      deferPingsOnActivity: false,
      respondWithDetailedErrors: false,
      maxBadMessages: Number.POSITIVE_INFINITY,
      wsOpts: {},
      headers: {},
      backoff: { initialDelay: 100, maxDelay: 200, factor: 2, randomisationFactor: 0 },
    });
    opened.on('call', ({ outbound, payload }: { outbound: boolean; payload: unknown[] }) => {
      if (outbound) lastFrame = JSON.stringify(payload);
    });
    opened.handle(async ({ method = '', params = {} }: { method?: string; params?: Record<string, unknown> }) => {
      asked.push({ action: method, payload: params });
      return answer(method, params);
    });
    await opened.connect();
    client = opened;
  };
  const current = (): RPCClient => {
    if (client === null) throw new Error(`station ${station.number} is not connected`);
    return client;
  };
  await connect();
  return {
    asked,
    call: async (action, payload) => (await current().call(action, payload)) as Record<string, unknown>,
    repeatLastFrame: () => current().sendRaw(lastFrame),
    answerBy(decide) {
      answer = decide;
    },
    async cut() {
      await current().close({ force: true, code: 1006, reason: '', awaitPending: false });
      client = null;
    },
    connect,
    get isConnected() {
      return client !== null && client.state === RPCClient.OPEN;
    },
    async close() {
      await client?.close({ code: 1000, reason: 'done', awaitPending: false, force: false });
      client = null;
    },
  };
}

/** Reports port 1 as free. Otherwise the server asks for it after half a minute, in the middle of a test. */
export async function tellFree({ call }: Pick<LibraryStation, 'call'>): Promise<void> {
  await call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
}
