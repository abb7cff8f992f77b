import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ConnectionState, openConnection, step } from '@voltdeck/ocpp16/connection';
import { chooseSubprotocol } from '@voltdeck/ocpp16/handshake';
import { isConfigurationTaken, newPasswordOf } from '@voltdeck/ocpp16/translate-commands';
import { type Instant, instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { WebSocketServer } from 'ws';
import { heartbeatSeconds } from '../charging/on-station-event.ts';
import { loadStationSession, refusedChargesOf, type StationSession } from '../charging/station-session.ts';
import type { Context } from '../context.ts';
import { remoteAddressOf } from '../http/remote-address.ts';
import { type Holder, takeHold } from '../journal/holder.ts';
import type { StationJournal } from '../journal/station-journal.ts';
import { type FramePaceLimits, FramePaces, framePaceLimits } from '../limits/frame-pace.ts';
import type { RemoteNetwork } from '../limits/remote-networks.ts';
import { passwordsChanged, usePassword } from '../stations/station-passwords.ts';
import { Admission, type AdmissionLimits, admissionLimits } from './admission.ts';
import { isOcppPath, stationNumberOf } from './ocpp-address.ts';
import { certificateOf, type SignIn, signIn } from './ocpp-sign-in.ts';
import { OcppWebSocket, type SocketHearer } from './ocpp-web-socket.ts';
import { createRefusedStations, type Refusal } from './refused-stations.ts';
import { RegisteredStations, type StationRow } from './registered-stations.ts';
import { type ProtocolMachine, StationLink } from './station-link.ts';
import { after, type PresentStation, type RegisteredStation, StationPresence } from './station-presence.ts';

export const ocppLimits = {
  /** A long GetConfiguration answer is some 50 kB. */
  messageBytesMax: 256 * 1024,
  /** Unsent bytes allowed for a peer that does not read: two of our longest answers. */
  unsentBytesMax: 512 * 1024,
  /** Keeps NAT entries between us and the station alive. */
  pingAfterMs: minuteMs,
  /** Grace period for a refused socket to take the answer. */
  refusedWaitMs: 3 * secondMs,
  /** Grace period for a connection that signed in with a replaced password. */
  oldPasswordGraceMs: 15 * minuteMs,
  oldPasswordsSweepMs: minuteMs,
} as const;

export type OcppLimits = { readonly [Name in keyof typeof ocppLimits]: number };

export type OcppOptions = {
  /** This node of the installation. */
  node?: string;
  limits?: OcppLimits;
  admission?: AdmissionLimits;
  pace?: FramePaceLimits;
  /** Milliseconds that nobody sets, by which a set clock is known from time that has passed. */
  uptimeMs?: () => number;
};

const machine: ProtocolMachine<ConnectionState, string> = {
  protocol: 'ocpp1.6',
  step,
  newPasswordOf,
  isConfigurationTaken,
};

export type OcppGateway = {
  /** Stations connected now. */
  connected(): number;
  close(): Promise<void>;
};

type OcppLink = StationLink<ConnectionState, string>;

/**
 * One connected station: passes what its WebSocket receives to its link. A class rather than closures, because there
 * are thousands.
 */
class OcppConnection implements SocketHearer {
  readonly webSocket: OcppWebSocket;
  /** The password it signed in with; null where it came without one. */
  readonly passwordHash: string | null;
  pingedAt: Instant;
  readonly #link: OcppLink;
  readonly #presence: OcppPresence;
  #present: PresentStation<OcppConnection, OcppLink> | null = null;

  constructor(parts: {
    webSocket: OcppWebSocket;
    passwordHash: string | null;
    now: Instant;
    link: OcppLink;
    presence: OcppPresence;
  }) {
    this.webSocket = parts.webSocket;
    this.passwordHash = parts.passwordHash;
    this.pingedAt = parts.now;
    this.#link = parts.link;
    this.#presence = parts.presence;
  }

  arrive(station: RegisteredStation, { holder, remoteAddress }: { holder: Holder; remoteAddress: string }): void {
    this.#present = this.#presence.arrive(station, this.#link, { holder, socket: this, remoteAddress });
  }

  receive(text: string): void {
    this.#link.receive(text);
  }

  showLife(): void {
    this.#link.showLife();
  }

  closed(): void {
    if (this.#present !== null) this.#presence.leave(this.#present);
  }
}

type OcppPresence = StationPresence<OcppConnection, OcppLink>;

/**
 * Serves `/ocpp/{station number}` on the HTTP server's upgrades: OCPP-J 1.6 with basic authentication or client
 * certificates (security profiles 1 to 3).
 */
export function attachOcppGateway(
  server: Server,
  context: Context<'stations'>,
  journal: StationJournal,
  options: OcppOptions = {},
): OcppGateway {
  const { node = 'this', limits = ocppLimits, admission: admissionBounds = admissionLimits } = options;
  const sockets = new WebSocketServer<typeof OcppWebSocket>({
    WebSocket: OcppWebSocket,
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.messageBytesMax,
    clientTracking: false,
    handleProtocols: (offered) => chooseSubprotocol(offered) ?? false,
  });
  const presence: OcppPresence = new StationPresence(context, {
    cut: ({ socket }) => socket.webSocket.terminate(),
    ...(options.uptimeMs === undefined ? {} : { uptimeMs: options.uptimeMs }),
    onSweep: ({ link, socket }, now) => {
      if (now - Math.max(link.lastFrameAt, socket.pingedAt) < limits.pingAfterMs) return;
      socket.pingedAt = now;
      socket.webSocket.ping();
      link.pinged();
    },
  });
  const admission = new Admission<Duplex>(admissionBounds, (turnedAway) =>
    context.log.warn({ turnedAway }, 'ocpp: turned strangers away within a minute'),
  );
  const registered = new RegisteredStations(context.database.db);
  admission
    .recall((max) => registered.seenBefore('ocpp1.6', max))
    .catch((error: unknown) => context.log.warn({ error: String(error) }, 'ocpp: reading the known stations failed'));
  const refusedStations = createRefusedStations(context);
  const paces = new FramePaces(options.pace ?? framePaceLimits);
  const runId = context.now().toString(36);
  let connections = 0;
  let closing = false;

  const refuse = (socket: Duplex, status: number): void => {
    if (socket.destroyed) return;
    socket.end(refusalText(status));
    // A peer that never reads the end would keep its half open forever.
    const timer = setTimeout(() => socket.destroy(), limits.refusedWaitMs);
    socket.once('close', () => clearTimeout(timer));
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', ignore);
    const url = request.url ?? '';
    const number = stationNumberOf(url);
    const remoteAddress = remoteAddressOf(request);
    // A socket that was reset earlier has no address.
    if (remoteAddress === '') socket.destroy();
    else if (!isOcppPath(url) || number === null) refuse(socket, 404);
    else {
      const network = admission.networkOf(remoteAddress);
      if (closing || admission.isCrowded(network)) refuse(socket, 503);
      else welcome({ request, socket, head, number, remoteAddress, network });
    }
  };

  function welcome(knock: Knock): void {
    const { socket, network } = knock;
    network.sockets += 1;
    // It closes once; `once` would keep a wrapper for every station.
    socket.on('close', () => {
      network.sockets -= 1;
    });
    handshake(knock).catch((error: unknown) => {
      context.log.warn({ error: String(error) }, 'ocpp: a handshake failed');
      refuse(socket, 503);
    });
  }

  async function handshake(knock: Knock): Promise<void> {
    const { request, socket, head, number, remoteAddress, network } = knock;
    if (admission.isBarred(network, number)) return refuse(socket, 429);
    const entry = await admission.lookUp(network, number, () => lookUp(knock));
    if (entry === 'crowded') {
      admission.turnAway(
        () => refuse(socket, 503),
        () => socket.destroy(),
      );
      return;
    }
    if (entry.kind === 'gone') return;
    if (entry.kind === 'refused') return refuse(socket, entry.status);
    const { station, passwordHash } = entry;
    admission.noteArrival(station.number);
    // Outside the gate, because a station that comes twice must not delay others while its old connection ends.
    await presence.handOver(station.number);
    const { session, holder } = await admission.settleIn(async () => ({
      session: await loadStationSession(context.database, station),
      holder: await takeHold(context.database, node),
    }));
    if (socket.destroyed) return;
    if (closing) return refuse(socket, 503);
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      connect(webSocket, { station, session, holder, remoteAddress, networkKey: network.key, passwordHash }),
    );
  }

  async function lookUp({ request, socket, number, remoteAddress, network }: Knock): Promise<Entry> {
    if (socket.destroyed) return { kind: 'gone' };
    const { db } = context.database;
    const station = await registered.find(number);
    if (station === null) {
      if (admission.noteFailure(network)) {
        refusedStations.noteUnknown({ number, protocol: 'ocpp1.6', remoteAddress, network: network.key });
      }
      return { kind: 'refused', status: 404 };
    }
    const outcome: SignIn | { kind: 'refused'; status: 404; because: Refusal } =
      station.protocol === 'ocpp1.6'
        ? signIn(request.headers, certificateOf(request.socket), { station, remoteAddress })
        : { kind: 'refused', status: 404, because: 'wrong_protocol' };
    if (outcome.kind === 'refused') {
      let { because } = outcome;
      if (because === 'wrong_password') {
        admission.noteFailure(network);
        admission.noteWrongPassword(network, number);
        if (admission.isBarred(network, number)) because = 'too_many_attempts';
      }
      await admission.settleIn(() => refusedStations.noteRefusal(station.id, { because, remoteAddress }));
      return { kind: 'refused', status: outcome.status };
    }
    if (outcome.by === 'next-password') await usePassword(db, station.id, station.nextPasswordHash, context.now());
    return { kind: 'admitted', station, passwordHash: hashOf[outcome.by](station) };
  }

  function connect(webSocket: OcppWebSocket, arrival: Arrival): void {
    const { station, session, holder, remoteAddress, networkKey, passwordHash } = arrival;
    connections += 1;
    const now = context.now();
    const link: OcppLink = new StationLink({
      context,
      journal,
      network: networkKey,
      paces,
      machine,
      session,
      socket: webSocket,
      state: openConnection(
        {
          callIdPrefix: `${runId}-${connections.toString(36)}-`,
          heartbeatSeconds,
          wasAccepted: station.bootedAt !== null,
          refusedCharges: refusedChargesOf(session),
        },
        now,
      ),
    });
    const connection = new OcppConnection({ webSocket, passwordHash, now, link, presence });
    // Only these fields of its row are needed while it is connected.
    const { id, number, siteId, agentId } = station;
    connection.arrive({ id, number, siteId, agentId }, { holder, remoteAddress });
    webSocket.open(connection, limits);
  }

  /** Ends connections that signed in with a password replaced since. */
  const endOldPasswords = async (since: Instant, until: Instant): Promise<void> => {
    for (const { number, passwordHash } of await passwordsChanged(context.database.db, since, until)) {
      const socket = presence.find(number)?.socket;
      if (socket === undefined || socket.passwordHash === null || socket.passwordHash === passwordHash) continue;
      socket.webSocket.close(closeCodes.policyViolation, 'the password has changed');
    }
  };
  let sweptUntil = instant(context.now() - limits.oldPasswordGraceMs);
  let isSweeping = false;
  const sweep = setInterval(() => {
    // A slow database must not be asked faster than it answers.
    if (isSweeping) return;
    isSweeping = true;
    const until = instant(context.now() - limits.oldPasswordGraceMs);
    // A change may be committed later than its timestamp, so each sweep also covers the minute before the last one.
    endOldPasswords(instant(sweptUntil - minuteMs), until)
      .then(
        () => {
          sweptUntil = until;
        },
        (error: unknown) => context.log.warn({ error: String(error) }, 'ocpp: checking for changed passwords failed'),
      )
      .finally(() => {
        isSweeping = false;
      });
  }, limits.oldPasswordsSweepMs);

  server.on('upgrade', onUpgrade);
  return {
    connected: () => presence.size,
    async close() {
      closing = true;
      server.off('upgrade', onUpgrade);
      clearInterval(sweep);
      admission.close();
      const left = (await presence.rest()).map(({ socket }) => socket.webSocket);
      for (const webSocket of left) webSocket.close(1001, 'server is going away');
      const gone = left.map((webSocket) => new Promise<void>((resolve) => webSocket.once('close', () => resolve())));
      await Promise.race([Promise.all(gone), after(secondMs)]);
      for (const webSocket of left) webSocket.terminate();
      await refusedStations.close();
    },
  };
}

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCodes = { policyViolation: 1008 } as const;

/** A station's request to connect. */
type Knock = {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  number: string;
  remoteAddress: string;
  network: RemoteNetwork<Duplex>;
};

/** Which of a station's passwords was used to sign in. */
const hashOf: Readonly<Record<Extract<SignIn, { kind: 'admitted' }>['by'], (station: StationRow) => string | null>> = {
  password: ({ passwordHash }) => passwordHash,
  'next-password': ({ nextPasswordHash }) => nextPasswordHash,
  certificate: () => null,
  nothing: () => null,
};

type Entry =
  | { kind: 'admitted'; station: StationRow; passwordHash: string | null }
  | { kind: 'refused'; status: number }
  | { kind: 'gone' };

type Arrival = {
  station: StationRow;
  session: StationSession;
  holder: Holder;
  remoteAddress: string;
  networkKey: string;
  passwordHash: string | null;
};

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

const extraHeaders: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate: Basic realm="ocpp"\r\n',
  429: `Retry-After: ${minuteMs / secondMs}\r\n`,
};

function refusalText(status: number): string {
  const extra = extraHeaders[status] ?? '';
  return `HTTP/1.1 ${status} ${statusTexts[status]}\r\n${extra}Connection: close\r\nContent-Length: 0\r\n\r\n`;
}

/** The `close` event that follows has the details. */
function ignore(): void {}
