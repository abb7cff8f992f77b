import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Protocol } from '@voltdeck/charging/states';
import { plainAnswer } from '@voltdeck/connection/plain-answer';
import { type ConnectionState, openConnection, step } from '@voltdeck/ocpp16/connection';
import { checkPasswordForms, chooseSubprotocol } from '@voltdeck/ocpp16/handshake';
import { type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { type WebSocket, WebSocketServer } from 'ws';
import { heartbeatSeconds } from '../charging/on-station-event.ts';
import { loadStationSession } from '../charging/station-session.ts';
import type { Context } from '../context.ts';
import type { StationJournal } from '../journal/station-journal.ts';
import { createGate } from '../limits/gate.ts';
import { networkOf } from '../limits/remote-networks.ts';
import { verifyStationPassword } from '../stations/station-password.ts';
import { PausableMessages } from './pausable-messages.ts';
import { createRefusedStations, type Refusal } from './refused-stations.ts';
import { type ProtocolMachine, StationLink } from './station-link.ts';
import { after, type RegisteredStation, StationPresence } from './station-presence.ts';

export const ocppLimits = {
  /** A GetConfiguration answer of a talkative station is some 50 kB. */
  messageBytesMax: 256 * 1024,
  stationNumberMax: 48,
  /** Handshakes that ask the database at once; a storm of reconnects waits its turn. */
  handshakesAtOnce: 6,
  handshakesWaiting: 20_000,
  /** Keeps address translators between us and the station awake. */
  pingAfterMs: minuteMs,
} as const;

export const ocppPath = '/ocpp/';

const machine: ProtocolMachine<ConnectionState, string> = { protocol: 'ocpp1.6', step, plainAnswer };

export type OcppGateway = {
  /** Stations connected now. */
  connected(): number;
  close(): Promise<void>;
};

type StationRow = RegisteredStation & { protocol: Protocol; passwordHash: string | null; bootedAt: Instant | null };

type Refused = { status: number; because: Refusal };

type OcppSocket = { webSocket: WebSocket; pingedAt: Instant };

/** Serves `/ocpp/{station number}` on the HTTP server's upgrades: OCPP-J 1.6 with basic authentication (profile 1). */
export function attachOcppGateway(server: Server, context: Context<'stations'>, journal: StationJournal): OcppGateway {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: ocppLimits.messageBytesMax,
    clientTracking: false,
    handleProtocols: (offered) => chooseSubprotocol(offered) ?? false,
  });
  const presence = new StationPresence<OcppSocket, StationLink<ConnectionState, string>>(context, {
    cut: ({ socket }) => socket.webSocket.terminate(),
    onSweep({ link, socket }, now) {
      if (now - Math.max(link.lastFrameAt, socket.pingedAt) < ocppLimits.pingAfterMs) return;
      socket.pingedAt = now;
      socket.webSocket.ping();
      link.pinged();
    },
  });
  const gate = createGate(ocppLimits.handshakesAtOnce, ocppLimits.handshakesWaiting);
  const refused = createRefusedStations(context);
  const runId = context.now().toString(36);
  let connections = 0;
  let closing = false;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = request.url ?? '';
    socket.on('error', ignore);
    if (!url.startsWith(ocppPath)) {
      refuse(socket, 404);
      return;
    }
    gate(() => handshake(request, socket, head)).catch((error: unknown) => {
      context.log.warn({ error: String(error) }, 'ocpp: a handshake failed');
      refuse(socket, 503);
    });
  };

  async function handshake(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (socket.destroyed) return;
    if (closing) return refuse(socket, 503);
    const number = stationNumberOf(request.url ?? '');
    const remoteAddress = request.socket.remoteAddress ?? '';
    if (number === null) return refuse(socket, 404);
    const station = await findStation(context, number);
    if (station === null) {
      await refused.noteUnknown({ number, protocol: 'ocpp1.6', remoteAddress });
      return refuse(socket, 404);
    }
    const refusal: Refused | null =
      station.protocol === 'ocpp1.6' ? refusalOf(request, station) : { status: 404, because: 'wrong_protocol' };
    if (refusal !== null) {
      await refused.noteRefusal(station.id, { because: refusal.because, remoteAddress });
      return refuse(socket, refusal.status);
    }
    await presence.handOver(station.number);
    const session = await loadStationSession(context.database, station);
    if (socket.destroyed) return;
    sockets.handleUpgrade(request, socket, head, (webSocket) => connect(webSocket, station, session, remoteAddress));
  }

  function connect(
    webSocket: WebSocket,
    station: StationRow,
    session: Awaited<ReturnType<typeof loadStationSession>>,
    remoteAddress: string,
  ): void {
    connections += 1;
    const now = context.now();
    const messages = new PausableMessages(webSocket, (text) => link.receive(text));
    const link: StationLink<ConnectionState, string> = new StationLink({
      context,
      journal,
      network: networkOf(remoteAddress),
      machine,
      session,
      socket: {
        send: (frame) => webSocket.send(frame),
        pause: () => messages.pause(),
        resume: () => messages.resume(),
        close: (code, reason) => webSocket.close(code, reason),
      },
      state: openConnection(
        {
          callIdPrefix: `${runId}-${connections.toString(36)}-`,
          heartbeatSeconds,
          wasAccepted: station.bootedAt !== null,
        },
        now,
      ),
    });
    const present = presence.arrive(station, link, { socket: { webSocket, pingedAt: now }, remoteAddress });
    webSocket.on('ping', () => link.showLife());
    webSocket.on('pong', () => link.showLife());
    webSocket.on('error', ignore);
    webSocket.on('close', () => presence.leave(present));
  }

  server.on('upgrade', onUpgrade);
  return {
    connected: () => presence.size,
    async close() {
      closing = true;
      server.off('upgrade', onUpgrade);
      const left = (await presence.rest()).map(({ socket }) => socket.webSocket);
      for (const webSocket of left) webSocket.close(1001, 'server is going away');
      const gone = left.map((webSocket) => new Promise<void>((resolve) => webSocket.once('close', () => resolve())));
      await Promise.race([Promise.all(gone), after(secondMs)]);
      for (const webSocket of left) webSocket.terminate();
    },
  };
}

/** The identity in `/ocpp/{identity}`, percent-decoded (OCPP-J 1.6, section 3.1.1); null when it cannot be one. */
export function stationNumberOf(url: string): string | null {
  const path = url.split('?', 1)[0] ?? '';
  const encoded = path.slice(ocppPath.length);
  if (encoded === '' || encoded.includes('/')) return null;
  try {
    const number = decodeURIComponent(encoded);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    return number.length <= ocppLimits.stationNumberMax && !/[\u0000-\u001f\u007f]/.test(number) ? number : null;
  } catch {
    return null;
  }
}

async function findStation(context: Context<'stations'>, number: string): Promise<StationRow | null> {
  const row = await context.database.db
    .selectFrom('stations')
    .select(['id', 'number', 'protocol', 'site_id as siteId', 'agent_id as agentId'])
    .select(['password_hash as passwordHash', 'booted_at as bootedAt'])
    .where('number', '=', number)
    .executeTakeFirst();
  return row ?? null;
}

function refusalOf(request: IncomingMessage, station: StationRow): Refused | null {
  if (station.passwordHash !== null) {
    const credentials = credentialsOf(request.headers.authorization);
    if (credentials === null) return { status: 401, because: 'no_password' };
    if (!credentials.users.includes(station.number)) return { status: 401, because: 'wrong_user' };
    const { passwordHash } = station;
    if (!checkPasswordForms(credentials.password).some((form) => verifyStationPassword(form, passwordHash))) {
      return { status: 401, because: 'wrong_password' };
    }
  }
  if (chooseSubprotocol(request.headers['sec-websocket-protocol']) === null) {
    return { status: 400, because: 'wrong_subprotocol' };
  }
  return null;
}

/** The user in the encodings that it may be in: nobody says which one (RFC 7617, section 2.1). */
function credentialsOf(header: string | undefined): { users: readonly string[]; password: string } | null {
  const match = /^Basic ([A-Za-z0-9+/=]{1,512})$/i.exec(header ?? '');
  if (match === null) return null;
  const bytes = Buffer.from(match[1] ?? '', 'base64');
  const colon = bytes.indexOf(':');
  if (colon === -1) return null;
  const user = bytes.subarray(0, colon);
  // One character a byte: a password of raw bytes stays what it is.
  return { users: [user.toString('utf8'), user.toString('latin1')], password: bytes.toString('latin1', colon + 1) };
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  503: 'Service Unavailable',
};

function refuse(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  const challenge = status === 401 ? 'WWW-Authenticate: Basic realm="ocpp"\r\n' : '';
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The `close` event that follows says all there is to say. */
function ignore(): void {}
