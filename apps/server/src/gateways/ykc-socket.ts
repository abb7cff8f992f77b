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
  /** Sockets without a login attempt. Beyond this, the oldest of them is closed. */
  silentSocketsPerNetwork: 1_024,
  silentSocketsMax: 8_192,
  /** A site behind one concentrator. */
  stationsPerSocket: 256,
  /** Lifetime of a socket without a signed-in station. */
  loginWaitMs: 30 * secondMs,
  /** Grace period for a closing socket to take the last bytes. */
  closeWaitMs: 5 * secondMs,
  /** Bytes of garbage, and of frames of stations not signed in here, beyond what good frames make up for. */
  garbageBytesMax: 8 * 1024,
  /** Frames of one station that wait while its login is being looked up. */
  framesAwaitingLogin: 32,
  /** Unsent bytes allowed for a peer that does not read. */
  unsentBytesMax: 256 * 1024,
  /** Detects that a station's modem has disappeared silently. */
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
  /** Open sockets, with stations or without. */
  sockets(): number;
  close(): Promise<void>;
};

/**
 * Listens for stations that speak YKC 1.5 and 1.6 over plain TCP. A socket may carry several stations (section 1), so
 * frames are assigned by station number. This protocol has no passwords: anyone who knows a registered number is that
 * station (docs/operations/ykc.md says what to do about it).
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
  // Not earlier, because a port in use must not leave timers behind.
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
  /** This node of the installation. */
  node?: string;
  limits?: Limits;
  admission?: AdmissionLimits;
  pace?: FramePaceLimits;
};

export type Limits = { readonly [Name in keyof typeof ykcLimits]: number };

/** Accepts sockets, and stations that sign in over them. */
class Doors implements FrameTaker {
  readonly #context: Context<'stations'>;
  readonly #journal: StationJournal;
  readonly #limits: Limits;
  readonly #presence: StationPresence<TrunkSocket, YkcLink>;
  readonly #admission: Admission<TrunkSocket>;
  readonly #node: string;
  readonly #paces: FramePaces;
  readonly #sockets = new Set<TrunkSocket>();
  /** Those without a login attempt, the oldest first. */
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
      context.log.warn({ turnedAway }, 'ykc: turned strangers away within a minute'),
    );
    this.#paces = new FramePaces(pace);
    this.#presence = new StationPresence(context, {
      cut: (present) => this.#drop(present),
      asksPortByPort: true,
    });
    this.#registered = new RegisteredStations(context.database.db);
    this.#admission
      .recall((max) => this.#registered.seenBefore('ykc', max))
      .catch((error: unknown) => context.log.warn({ error: String(error) }, 'ykc: reading the known stations failed'));
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
    // A socket that was reset earlier has no address.
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
    // Frames before the login are dropped, and those of a refused station count as garbage.
    socket.noteGarbage(frame.bytes.length);
    if (frame.type === loginType) this.#signIn(socket, number, frame);
  }

  onGarbage(socket: TrunkSocket): void {
    this.#context.log.info({ remoteAddress: socket.remoteAddress }, 'ykc: closed a socket of garbage');
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
    this.#forgetSilent(socket);
    socket.await(number, login);
    this.#letIn(socket, number, login).catch((error: unknown) => {
      // Without an answer, the station signs in again.
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
        // Without an answer, it signs in again; a concentrator's other stations are not affected.
        if (socket.stationCount === 0) socket.tcp.destroy();
      };
      this.#admission.turnAway(end, end);
      return;
    }
    if (station === null) {
      socket.stopAwaiting(number);
      refuse(socket, number, login);
      // The protocol demands closing; a concentrator's other stations are not at fault.
      if (socket.stationCount === 0) socket.end(this.#context.now());
      return;
    }
    this.#admission.noteArrival(number);
    // Outside the gate, because a station that comes twice must not delay others while its old connection ends.
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
        // The link finishes its work first.
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

  /** Null when it is refused; its connection help shows why. */
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
      // A bug that one station triggers must not cost its neighbours their connection.
      this.#context.log.error({ err: error, station: present.station.number }, 'ykc: a frame broke the connection');
      this.#drop(present);
    }
  }

  /** Removes a station from its socket, which stays while it carries others. */
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

  #forgetSilent(socket: TrunkSocket): void {
    this.#silent.delete(socket);
    socket.network.silent.delete(socket);
  }

  /** A station signs in as soon as it connects, so the oldest silent socket is the least likely to be one. */
  #endOldest(silent: ReadonlySet<TrunkSocket>): void {
    for (const oldest of silent) {
      this.#forgetSilent(oldest);
      oldest.tcp.destroy();
      return;
    }
  }

  #onClosed(socket: TrunkSocket): void {
    this.#sockets.delete(socket);
    this.#forgetSilent(socket);
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

/** Frames that name no station, such as those of unknown types, are logged for the socket's only station. */
function onlyStationOf(socket: TrunkSocket): string | null {
  if (socket.stations.size !== 1) return null;
  for (const number of socket.stations.keys()) return number;
  return null;
}

function refuse(socket: TrunkSocket, number: string, login: Frame): void {
  socket.send(writeFrame({ kind: 'login-answer', pileNo: number, result: 1 }, login.sequence));
}

/** The `close` event that follows has the details. */
function ignore(): void {}
