import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { OCPP16 } from 'typed-ocpp';
import { type WebSocket, WebSocketServer } from 'ws';

export type HeardCall = { station: string; id: string; action: string; payload: Record<string, unknown> };
/** `null` leaves the call unanswered; an Error answers with a CALLERROR with its message as code. */
export type Answering = (call: HeardCall) => object | null | Error | undefined;

/**
 * A minimal central system for tests: it answers every call as OCPP 1.6 requires, assigns transaction ids, recognises a
 * repeated start, and records what it heard. `answering` overrides single answers.
 */
export async function openCentralSystem(answering: Answering = () => undefined) {
  const heard: HeardCall[] = [];
  const invalid: string[] = [];
  const unreadable: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Map<string, WebSocket>();
  const waiting = new Map<string, (answer: { payload?: unknown; error?: string }) => void>();
  const numbers = new Map<string, number>();
  let connections = 0;
  let commandCount = 0;

  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'ocpp1.6' });
  await once(server, 'listening');

  const usual = (call: HeardCall): object => {
    const currentTime = new Date(1_800_000_000_000).toISOString();
    switch (call.action) {
      case 'BootNotification':
        return { status: 'Accepted', currentTime, interval: 300 };
      case 'Heartbeat':
        return { currentTime };
      case 'Authorize':
        return { idTagInfo: { status: 'Accepted' } };
      case 'StartTransaction': {
        const key = JSON.stringify([call.station, call.payload]);
        const transactionId = numbers.get(key) ?? numbers.size + 1_001;
        numbers.set(key, transactionId);
        return { transactionId, idTagInfo: { status: 'Accepted' } };
      }
      case 'StopTransaction':
        return { idTagInfo: { status: 'Accepted' } };
      default:
        return {};
    }
  };

  server.on('connection', (socket, request) => {
    const station = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    connections += 1;
    authorizations.push(request.headers.authorization);
    sockets.set(station, socket);
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const text = data.toString();
      let frame: unknown[];
      try {
        frame = JSON.parse(text) as unknown[];
      } catch {
        unreadable.push(text);
        return;
      }
      if (!Array.isArray(frame) || typeof frame[1] !== 'string') {
        unreadable.push(text);
        return;
      }
      const [type, id] = frame;
      if (type === 3) waiting.get(id)?.({ payload: frame[2] });
      if (type === 4) waiting.get(id)?.({ error: String(frame[2]) });
      if (type !== 2) return;
      if (!OCPP16.validate(frame)) {
        invalid.push(text);
        socket.send(JSON.stringify([4, id, 'FormationViolation', '', {}]));
        return;
      }
      const call = { station, id, action: String(frame[2]), payload: frame[3] as Record<string, unknown> };
      heard.push(call);
      const answer = answering(call);
      if (answer === null) return;
      socket.send(
        answer instanceof Error
          ? JSON.stringify([4, id, answer.message, '', {}])
          : JSON.stringify([3, id, answer ?? usual(call)]),
      );
    });
  });

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`,
    heard,
    /** Calls that the schemas of OCPP 1.6 refuse. */
    invalid,
    unreadable,
    authorizations,
    get connections() {
      return connections;
    },
    actions: (station?: string) =>
      heard.filter((call) => station === undefined || call.station === station).map((call) => call.action),
    of: (action: string) => heard.filter((call) => call.action === action).map((call) => call.payload),
    statuses: (connectorId: number) =>
      heard
        .filter((call) => call.action === 'StatusNotification' && call.payload.connectorId === connectorId)
        .map((call) => call.payload.status),
    /** Sends a command and returns the station's answer. */
    command: (station: string, action: string, payload: object): Promise<{ payload?: unknown; error?: string }> => {
      commandCount += 1;
      const id = `command-${commandCount}`;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        sockets.get(station)?.send(JSON.stringify([2, id, action, payload]));
      });
    },
    sendText: (station: string, text: string) => sockets.get(station)?.send(text),
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type CentralSystem = Awaited<ReturnType<typeof openCentralSystem>>;
