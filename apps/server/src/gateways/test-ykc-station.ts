import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { watts } from '@voltdeck/units/energy';
import type { SiteId, StationId, TariffId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { emptyRemainder, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import type { Message, MessageKind, MessageOf } from '@voltdeck/ykc/messages/all';
import type { Database } from '../database/database.ts';

/** A scripted YKC station, or a concentrator of several. */
export type TestYkcStation = {
  socket: Socket;
  /** Everything received, the oldest first. */
  heard: Message[];
  say(message: Message, sequence?: number): void;
  /** The next message of this kind not yet awaited; fails with what was received when the socket ends. */
  hears<Kind extends MessageKind>(kind: Kind, of?: string): Promise<MessageOf<Kind>>;
  /** Sends 0x01 and waits for our answer. */
  logIn(number: string): Promise<MessageOf<'login-answer'>>;
  /** Resolves when the socket is closed by either side. */
  closed: Promise<void>;
  end(): Promise<void>;
};

const messageWaitMs = 30_000;

export async function connectYkc(port: number, localAddress = '127.0.0.1'): Promise<TestYkcStation> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  const heard: Message[] = [];
  const taken = new Set<Message>();
  const changed = new Set<() => void>();
  let remainder = emptyRemainder;
  let ended = false;
  socket.on('data', (chunk) => {
    const read = readFrames(remainder, chunk);
    remainder = read.remainder;
    for (const frame of read.frames) {
      const message = readMessage(frame);
      if (message.kind !== 'fault') heard.push(message);
    }
    for (const wake of changed) wake();
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ended = true;
      for (const wake of changed) wake();
      resolve();
    });
  });
  await Promise.race([once(socket, 'connect'), closed]);
  const station: TestYkcStation = {
    socket,
    heard,
    closed,
    say: (message, sequence = 1) => void socket.write(writeFrame(message, sequence)),
    async hears(kind, of) {
      const limit = Date.now() + messageWaitMs;
      for (;;) {
        const found = heard.find(
          (message) =>
            message.kind === kind &&
            !taken.has(message) &&
            (of === undefined || ('pileNo' in message && message.pileNo === of)),
        );
        if (found !== undefined) {
          taken.add(found);
          return found as MessageOf<typeof kind>;
        }
        const told = heard.map((message) => message.kind).join(', ');
        if (ended) throw new Error(`the socket ended before ${kind}; heard: ${told}`);
        if (Date.now() > limit) throw new Error(`no ${kind} came; heard: ${told}`);
        const again = Promise.withResolvers<void>();
        const timer = setTimeout(again.resolve, 1_000);
        changed.add(again.resolve);
        await again.promise;
        clearTimeout(timer);
        changed.delete(again.resolve);
      }
    },
    async logIn(number) {
      station.say(loginOf(number));
      return station.hears('login-answer', number);
    },
    async end() {
      socket.destroy();
      await closed;
    },
  };
  return station;
}

export function loginOf(pileNo: string): MessageOf<'login'> {
  return {
    kind: 'login',
    pileNo,
    pileType: 0,
    gunCount: 2,
    protoVersion: 16,
    softwareVersion: 'V4.1.50',
    netType: 0,
    sim: '01234567890123456789',
    carrier: 0,
  };
}

/** A live-data frame of an idle port. */
export function idleOf(pileNo: string, gunNo = 1): MessageOf<'realtime-data'> {
  return {
    kind: 'realtime-data',
    tradeNo: '0'.repeat(32),
    pileNo,
    gunNo,
    state: 2,
    homed: 1,
    plugged: 0,
    voltage: 0,
    current: 0,
    cableTemp: 0,
    cableCode: '0'.repeat(16),
    soc: 0,
    battMaxTemp: 0,
    chargedMinutes: 0,
    remainMinutes: 0,
    energy: 0,
    lossEnergy: 0,
    amount: 0,
    hwFault: 0,
  };
}

/** A record of 1 kWh in the flat period, charged while the station was offline. */
export function recordOf(pileNo: string, tradeNo: string, endTime: Instant): MessageOf<'transaction-record'> {
  const none = { price: 0, energy: 0, amount: 0 };
  const period = <Name extends string>(name: Name, { price, energy, amount }: typeof none) =>
    ({
      [`${name}Price`]: price,
      [`${name}Energy`]: energy,
      [`${name}LossEnergy`]: energy,
      [`${name}Amount`]: amount,
    }) as Record<`${Name}${'Price' | 'Energy' | 'LossEnergy' | 'Amount'}`, number>;
  return {
    kind: 'transaction-record',
    tradeNo,
    pileNo,
    gunNo: 1,
    startTime: instant(endTime - 10 * minuteMs),
    endTime,
    ...period('sharp', none),
    ...period('peak', none),
    ...period('flat', { price: 110_000, energy: 10_000, amount: 11_000 }),
    ...period('valley', none),
    meterStart: 5_000_000,
    meterEnd: 5_010_000,
    totalEnergy: 10_000,
    totalLossEnergy: 10_000,
    totalAmount: 11_000,
    vin: '',
    startFlag: 4,
    tradeTime: endTime,
    stopReason: 0x40,
    physCardNo: '0'.repeat(16),
  };
}

/** A registered station of two ports. */
export async function addYkcStation(
  { db }: Pick<Database, 'db'>,
  station: { number: string; siteId: SiteId; tariffId: TariffId | null },
): Promise<StationId> {
  const { id } = await db
    .insertInto('stations')
    .values({
      number: station.number,
      name: station.number,
      type: 'fast',
      equipment_type: 'four-wheel',
      protocol: 'ykc',
      site_id: station.siteId,
      max_power_w: watts(120_000),
      card_tariff_id: station.tariffId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('connectors')
    .values([1, 2].map((number) => ({ station_id: id, number, name: String(number) })))
    .execute();
  return id;
}
