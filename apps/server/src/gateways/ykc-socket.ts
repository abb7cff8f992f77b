import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { minuteMs, secondMs } from '@voltdeck/units/instant';
import { type ConnectionState, openConnection, step } from '@voltdeck/ykc/connection';
import { type Frame, pileNoOf, writeFrame } from '@voltdeck/ykc/frame';
import { definitions } from '@voltdeck/ykc/messages/all';
import { loadStationSession } from '../charging/station-session.ts';
import type { Context } from '../context.ts';
import { takeHold } from '../journal/holder.ts';
import type { StationJournal } from '../journal/station-journal.ts';
import { type FramePaceLimits, FramePaces, framePaceLimits } from '../limits/frame-pace.ts';
import { Admission, type AdmissionLimits, admissionLimits } from './admission.ts';
import { createRefusedStations } from './refused-stations.ts';
import { RegisteredStations } from './registered-stations.ts';
import { type ProtocolMachine, StationLink } from './station-link.ts';
import { after, type RegisteredStation, StationPresence } from './station-presence.ts';
import { type FrameTaker, TrunkSocket, type YkcLink, type YkcStation } from './trunk-socket.ts';

export const ykcLimits = {
  /** All sockets; the system's limit of open files may be lower. */
  socketsMax: 50_000,
  /** Sockets on which nobody has tried to sign in. One more than these, and the oldest of them is closed. */
  silentSocketsPerNetwork: 1_024,
  silentSocketsMax: 8_192,
  /** A site behind one concentrator. */
  stationsPerSocket: 256,
  /** How long a socket may live without a station that has signed in. */
  loginWaitMs: 30 * secondMs,
  /** How long a socket that we close may take to take the last bytes. */
  closeWaitMs: 5 * secondMs,
  /** Bytes of no frame, and of frames of stations that did not sign in here, that good frames have not made up for. */
  garbageBytesMax: 8 * 1024,
  /** Frames of one station that wait while its login is being looked up. */
  framesAwaitingLogin: 32,
  /** What a peer that does not read may leave unsent. */
  unsentBytesMax: 256 * 1024,
  /** Finds out that a station's modem has gone without a word. */
  keepAliveAfterMs: minuteMs,
} as const;

const machine: ProtocolMachine<ConnectionState, Uint8Array> = {
  protocol: 'ykc',
  step,
  // Piles sign in with their number alone.
  newPasswordOf: () => null,
  isConfigurationTaken: () => false,
};
const loginType = definitions.login.type;

export type YkcGateway = {
  port: number;
  /** Stations connected now. */
  connected(): number;
  /** Sockets open now, with stations or without. */
  sockets(): number;
  close(): Promise<void>;
};

/**
 * Listens for stations that speak YKC 1.5 and 1.6 over plain TCP. A socket may carry several stations (section 1), so
 * frames are told apart by station number. There are no passwords in this protocol: whoever knows a registered number
 * is that station (docs/operations/ykc.md says what to do about it).
 * @throws Error of the system when the port cannot be opened.
 */
export async function openYkcGateway(
  context: Context<'stations'>,
  journal: StationJournal,
  address: { host: string; port: number },
  options: YkcOptions = {},
): Promise<YkcGateway> {
  const { limits = ykcLimits } = options;
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: limits.keepAliveAfterMs });
  server.maxConnections = limits.socketsMax;
  server.listen(address.port, address.host);
  await once(server, 'listening');
  // Not before: a port that is taken must not leave timers behind.
  const doors = new Doors(context, journal, options);
  server.on('connection', (tcp) => doors.admit(tcp));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connected: () => doors.connected,
    sockets: () => doors.sockets,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await doors.close();
      await closed;
    },
  };
}

export type YkcOptions = {
  /** Which node of the installation this is. */
  node?: string;
  limits?: Limits;
  admission?: AdmissionLimits;
  pace?: FramePaceLimits;
};

export type Limits = { readonly [Name in keyof typeof ykcLimits]: number };

/** Lets sockets in and stations sign in over them. */
class Doors implements FrameTaker {
  readonly #context: Context<'stations'>;
  readonly #journal: StationJournal;
  readonly #limits: Limits;
  readonly #presence: StationPresence<TrunkSocket, YkcLink>;
  readonly #admission: Admission<TrunkSocket>;
  readonly #node: string;
  readonly #paces: FramePaces;
  readonly #sockets = new Set<TrunkSocket>();
  /** Those over which nobody has tried to sign in, the oldest first. */
  readonly #silent = new Set<TrunkSocket>();
  readonly #registered: RegisteredStations;
  readonly #refused: ReturnType<typeof createRefusedStations>;
  readonly #sweeping: NodeJS.Timeout;
  #closing = false;

  constructor(context: Context<'stations'>, journal: StationJournal, options: YkcOptions) {
    const { node = 'this', limits = ykcLimits, admission = admissionLimits, pace = framePaceLimits } = options;
    this.#context = context;
    this.#journal = journal;
    this.#limits = limits;
    this.#node = node;
    this.#admission = new Admission(admission, (turnedAway) =>
      context.log.warn({ turnedAway }, 'ykc: strangers were turned away within a minute'),
    );
    this.#paces = new FramePaces(pace);
    this.#presence = new StationPresence(context, {
      cut: (present) => this.#drop(present),
      asksPortByPort: true,
    });
    this.#registered = new RegisteredStations(context.database.db);
    this.#admission
      .recall((max) => this.#registered.seenBefore('ykc', max))
      .catch((error: unknown) => context.log.warn({ error: String(error) }, 'ykc: who came in before was not read'));
    this.#refused = createRefusedStations(context);
    this.#sweeping = setInterval(() => this.#sweep(), secondMs);
  }

  get connected(): number {
    return this.#presence.size;
  }

  get sockets(): number {
    return this.#sockets.size;
  }

  admit(tcp: Socket): void {
    tcp.on('error', ignore);
    const network = this.#admission.networkOf(tcp.remoteAddress ?? '');
    // A socket that was reset before we came to it has no address any more.
    if (this.#closing || tcp.remoteAddress === undefined || this.#admission.isCrowded(network)) {
      tcp.destroy();
      return;
    }
    const { garbageBytesMax, unsentBytesMax } = this.#limits;
    const socket = new TrunkSocket(tcp, { network, now: this.#context.now(), garbageBytesMax, unsentBytesMax });
    this.#sockets.add(socket);
    network.sockets += 1;
    this.#silent.add(socket);
    network.silent.add(socket);
    if (network.silent.size > this.#limits.silentSocketsPerNetwork) this.#endOldest(network.silent);
    if (this.#silent.size > this.#limits.silentSocketsMax) this.#endOldest(this.#silent);
    tcp.on('data', (chunk: Buffer) => socket.receive(chunk, this));
    tcp.on('close', () => this.#onClosed(socket));
  }

  take(socket: TrunkSocket, frame: Frame): void {
    const number = pileNoOf(frame) ?? onlyStationOf(socket);
    if (number === null) {
      socket.noteGarbage(frame.bytes.length);
      return;
    }
    const present = socket.stations.get(number);
    if (present !== undefined) {
      socket.noteGood(frame.bytes.length);
      this.#hand(present, frame);
      return;
    }
    const said = socket.saidBy(number);
    if (said !== undefined) {
      if (said.length < this.#limits.framesAwaitingLogin) said.push(frame);
      else socket.tcp.destroy();
      return;
    }
    // Nobody's word counts before the login, and that of a refused station is not made up for.
    socket.noteGarbage(frame.bytes.length);
    if (frame.type === loginType) this.#signIn(socket, number, frame);
  }

  onGarbage(socket: TrunkSocket): void {
    this.#context.log.info({ remoteAddress: socket.remoteAddress }, 'ykc: a socket of garbage was closed');
    socket.tcp.destroy();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#sweeping);
    this.#admission.close();
    await this.#presence.rest();
    const sockets = [...this.#sockets];
    const gone = sockets.map((socket) => new Promise<void>((resolve) => socket.tcp.once('close', () => resolve())));
    for (const socket of sockets) socket.end(this.#context.now());
    await Promise.race([Promise.all(gone), after(secondMs)]);
    for (const { tcp } of sockets) tcp.destroy();
    await this.#refused.close();
  }

  #signIn(socket: TrunkSocket, number: string, login: Frame): void {
    if (socket.stationCount >= this.#limits.stationsPerSocket) {
      refuse(socket, number, login);
      return;
    }
    this.#noLongerSilent(socket);
    socket.await(number, login);
    this.#letIn(socket, number, login).catch((error: unknown) => {
      // Unanswered, the station signs in again.
      this.#context.log.warn({ error: String(error), remoteAddress: socket.remoteAddress }, 'ykc: a login failed');
      socket.stopAwaiting(number);
      if (socket.stationCount === 0) socket.tcp.destroy();
    });
  }

  async #letIn(socket: TrunkSocket, number: string, login: Frame): Promise<void> {
    const isGone = () => socket.tcp.destroyed || socket.endedAt !== null || this.#closing;
    const station = await this.#admission.lookUp(socket.network, number, async () =>
      isGone() ? null : this.#findStation(socket, number),
    );
    if (isGone()) return;
    if (station === 'crowded') {
      const end = () => {
        socket.stopAwaiting(number);
        // Unanswered, it signs in again; a concentrator's other stations have done nothing wrong.
        if (socket.stationCount === 0) socket.tcp.destroy();
      };
      this.#admission.turnAway(end, end);
      return;
    }
    if (station === null) {
      socket.stopAwaiting(number);
      refuse(socket, number, login);
      // The protocol wants it closed; a concentrator's other stations have done nothing wrong.
      if (socket.stationCount === 0) socket.end(this.#context.now());
      return;
    }
    this.#admission.noteArrival(number);
    // Outside of the gate: a station that comes twice must not keep the others waiting for its farewell.
    await this.#presence.handOver(number);
    const { session, holder } = await this.#admission.settleIn(async () => ({
      session: await loadStationSession(this.#context.database, station),
      holder: await takeHold(this.#context.database, this.#node),
    }));
    if (isGone()) return;
    const now = this.#context.now();
    const link = new StationLink({
      context: this.#context,
      journal: this.#journal,
      network: socket.network.key,
      paces: this.#paces,
      machine,
      session,
      socket: {
        send: (bytes) => socket.send(bytes),
        pause: () => socket.pause(number),
        resume: () => socket.resume(number),
        // What the link is doing ends first.
        close: () => setImmediate(() => this.#drop(present)),
      },
      state: openConnection({ pileNo: number }, now),
    });
    const said = socket.stopAwaiting(number);
    const { remoteAddress } = socket;
    const present: YkcStation = this.#presence.arrive(station, link, { holder, socket, remoteAddress });
    socket.stations.set(number, present);
    for (const frame of said) {
      if (socket.stations.get(number) !== present) return;
      socket.noteGood(frame.bytes.length);
      this.#hand(present, frame);
    }
  }

  /** Null when it may not come in; those who look at the connection help learn why. */
  async #findStation(socket: TrunkSocket, number: string): Promise<RegisteredStation | null> {
    const { remoteAddress, network } = socket;
    if (!protocolTraits.ykc.stationNumber.test(number)) return null;
    const row = await this.#registered.find(number);
    if (row?.protocol === 'ykc') return row;
    const isWorthNoting = this.#admission.noteFailure(network);
    if (row !== null) {
      await this.#admission.settleIn(() =>
        this.#refused.noteRefusal(row.id, { because: 'wrong_protocol', remoteAddress }),
      );
    } else if (isWorthNoting) {
      this.#refused.noteUnknown({ number, protocol: 'ykc', remoteAddress, network: network.key });
    }
    return null;
  }

  #hand(present: YkcStation, frame: Frame): void {
    try {
      present.link.receive(frame.bytes);
    } catch (error) {
      // A bug of ours that one station has found must not cost its neighbours their connection.
      this.#context.log.error({ err: error, station: present.station.number }, 'ykc: a frame broke the connection');
      this.#drop(present);
    }
  }

  /** Takes a station off its socket, which stays as long as it carries others. */
  #drop(present: YkcStation): void {
    const { socket, station } = present;
    if (socket.stations.get(station.number) !== present) return;
    socket.stations.delete(station.number);
    socket.resume(station.number);
    this.#presence.leave(present);
    if (socket.stationCount > 0) return;
    socket.aloneSince = this.#context.now();
    socket.end(socket.aloneSince);
  }

  #noLongerSilent(socket: TrunkSocket): void {
    this.#silent.delete(socket);
    socket.network.silent.delete(socket);
  }

  /** A station signs in as soon as it is connected, so the oldest silent socket is the least likely to be one. */
  #endOldest(silent: ReadonlySet<TrunkSocket>): void {
    for (const oldest of silent) {
      this.#noLongerSilent(oldest);
      oldest.tcp.destroy();
      return;
    }
  }

  #onClosed(socket: TrunkSocket): void {
    this.#sockets.delete(socket);
    this.#noLongerSilent(socket);
    socket.network.sockets -= 1;
    const stations = [...socket.stations.values()];
    socket.stations.clear();
    for (const present of stations) this.#presence.leave(present);
  }

  #sweep(): void {
    const now = this.#context.now();
    for (const socket of this.#sockets) {
      if (socket.endedAt !== null) {
        if (now - socket.endedAt >= this.#limits.closeWaitMs) socket.tcp.destroy();
      } else if (socket.stationCount === 0 && now - socket.aloneSince >= this.#limits.loginWaitMs) socket.tcp.destroy();
    }
  }
}

/** Frames that name no station, such as those of unknown types, are for the log of the one that lives here. */
function onlyStationOf(socket: TrunkSocket): string | null {
  if (socket.stations.size !== 1) return null;
  for (const number of socket.stations.keys()) return number;
  return null;
}

function refuse(socket: TrunkSocket, number: string, login: Frame): void {
  socket.send(writeFrame({ kind: 'login-answer', pileNo: number, result: 1 }, login.sequence));
}

/** The `close` event that follows says all there is to say. */
function ignore(): void {}
