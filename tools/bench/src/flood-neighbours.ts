import { Agent } from 'node:http';
import { writeFrame } from '@voltdeck/ykc/frame';
import { beginCharge, liveWith } from './charging-pile.ts';
import { carryOutOrders } from './child-answers.ts';
import { callConsole } from './console-calls.ts';
import type { FloodStation } from './flood-network.ts';
import { meterValues, type OcppStation, openOcppStation } from './ocpp-station.ts';
import { openPile, type PileSocket } from './pile-socket.ts';

/**
 * A process of honest stations and one person at the console. They keep their schedule whatever happens to the answers:
 * a late answer does not postpone the next request, so a stall counts for every request in it.
 */
export type NeighboursOrder =
  | {
      kind: 'connect';
      port: number;
      ykcPort: number;
      ocpp: FloodStation[];
      ykc: FloodStation[];
      token: string;
      orderIds: number[];
    }
  | { kind: 'run'; forMs: number }
  | { kind: 'end-charges' };

/** Milliseconds from each request to its answer, in order of sending. */
export type NeighboursReport = {
  ocpp: number[];
  ykc: number[];
  orderList: number[];
  order: number[];
  /** Refused, cut or unanswered requests. */
  troubles: string[];
  /** Each station's readings that an answer has confirmed so far. */
  confirmed: Record<string, number>;
};

/** Each station sends twice a second, each page is fetched five times a second. */
const stationEveryMs = 500;
const pageEveryMs = 200;
/** A slower answer counts as none. */
const answerWaitMs = 15_000;
/** Every second station charges. */
const charges = (index: number): boolean => index % 2 === 0;

type Neighbour = { number: string; say(): Promise<void>; end(): Promise<void> };

let stations: { protocol: 'ocpp' | 'ykc'; neighbour: Neighbour }[] = [];
let person: { orderList(): Promise<void>; order(): Promise<void> } | null = null;
const troubles: string[] = [];
const confirmed: Record<string, number> = {};
let isEnding = false;

carryOutOrders<NeighboursOrder, NeighboursReport>(async (order) => {
  const report: NeighboursReport = { ocpp: [], ykc: [], orderList: [], order: [], troubles, confirmed };
  if (order.kind === 'connect') await connect(order);
  else if (order.kind === 'run') await run(order.forMs, report);
  else {
    isEnding = true;
    await Promise.all(stations.map(({ neighbour }) => noteTrouble(neighbour.number, neighbour.end())));
  }
  return report;
});

async function connect({
  port,
  ykcPort,
  ocpp,
  ykc,
  token,
  orderIds,
}: Extract<NeighboursOrder, { kind: 'connect' }>): Promise<void> {
  const url = `ws://127.0.0.1:${port}/ocpp/`;
  const byOcpp = await Promise.all(ocpp.map((station, index) => ocppNeighbour(url, station, charges(index))));
  const byYkc = await Promise.all(ykc.map((station, index) => ykcNeighbour(ykcPort, station, charges(index))));
  stations = [
    ...byOcpp.map((neighbour) => ({ protocol: 'ocpp' as const, neighbour })),
    ...byYkc.map((neighbour) => ({ protocol: 'ykc' as const, neighbour })),
  ];
  const agent = new Agent({ keepAlive: true });
  let asked = 0;
  const get = async (path: string) => {
    const { status } = await callConsole(agent, `http://127.0.0.1:${port}/api/${path}`, token);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  };
  person = {
    orderList: () => get('orders?page=1&pageSize=20&total=none'),
    order() {
      asked += 1;
      return get(`orders/${orderIds[asked % orderIds.length]}`);
    },
  };
}

async function ocppNeighbour(url: string, { number, card }: FloodStation, isCharging: boolean): Promise<Neighbour> {
  const station: OcppStation = await openOcppStation(url, number);
  station.onClose(() => isEnding || troubles.push(`${number} was cut`));
  await station.call('BootNotification', { chargePointVendor: 'Bench', chargePointModel: 'Neighbour' });
  confirmed[number] = 0;
  let transactionId = 0;
  let energyWh = 0;
  if (isCharging) {
    const start = { connectorId: 1, idTag: card, meterStart: 0, timestamp: new Date().toISOString() };
    transactionId = Number((await station.call('StartTransaction', start)).transactionId);
  }
  let said = 0;
  return {
    number,
    async say() {
      said += 1;
      if (!isCharging || said % 2 === 0) return void (await station.call('Heartbeat', {}));
      energyWh += 16;
      await station.call('MeterValues', meterValues(transactionId, energyWh, new Date()));
      confirmed[number] = (confirmed[number] ?? 0) + 1;
    },
    async end() {
      const timestamp = new Date().toISOString();
      if (isCharging) await station.call('StopTransaction', { transactionId, meterStop: energyWh, timestamp });
      else await station.call('Heartbeat', {});
    },
  };
}

async function ykcNeighbour(port: number, { number, card }: FloodStation, isCharging: boolean): Promise<Neighbour> {
  const pile: PileSocket = await openPile(port, number);
  pile.onClose(() => isEnding || troubles.push(`${number} was cut`));
  confirmed[number] = 0;
  const live = isCharging ? await beginCharge(pile, number, card) : null;
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, 2);
  /** Answers come in order of sending; live data have none, so the next heartbeat confirms them. */
  const waiting: (() => void)[] = [];
  pile.onFrame((frame) => {
    if (frame.type === 0x04) waiting.shift()?.();
  });
  let said = 0;
  const beat = () =>
    new Promise<void>((answered) => {
      waiting.push(answered);
      pile.sendBytes(heartbeat);
    });
  return {
    number,
    async say() {
      said += 1;
      if (live === null || said % 2 === 0) return beat();
      pile.sendBytes(liveWith(live, said * 80));
      await beat();
      confirmed[number] = (confirmed[number] ?? 0) + 1;
    },
    end: beat,
  };
}

async function run(forMs: number, report: NeighboursReport): Promise<void> {
  const asked: Promise<void>[] = [];
  const ask = (name: string, times: number[], question: () => Promise<void>) => {
    const at = performance.now();
    const answered = question().then(() => void times.push(performance.now() - at));
    asked.push(noteTrouble(name, answered));
  };
  const rounds = stations.map(({ protocol, neighbour }, index) => ({
    everyMs: stationEveryMs,
    nextAt: (stationEveryMs * index) / stations.length,
    ask: () => ask(neighbour.number, report[protocol], () => neighbour.say()),
  }));
  for (const page of ['orderList', 'order'] as const) {
    rounds.push({
      everyMs: pageEveryMs,
      nextAt: page === 'order' ? pageEveryMs / 2 : 0,
      ask: () => ask(page, report[page], () => person?.[page]() ?? Promise.resolve()),
    });
  }
  const beganAt = performance.now();
  await new Promise<void>((ended) => {
    const turn = setInterval(() => {
      const now = performance.now() - beganAt;
      for (const round of rounds) {
        if (round.nextAt > now) continue;
        round.nextAt += round.everyMs;
        round.ask();
      }
      if (now < forMs) return;
      clearInterval(turn);
      ended();
    }, 2);
  });
  await Promise.all(asked);
}

async function noteTrouble(name: string, answered: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${answerWaitMs / 1_000} s`)), answerWaitMs);
  });
  await Promise.race([answered, tooLong])
    .catch((error: unknown) => void troubles.push(`${name}: ${String(error)}`))
    .finally(() => clearTimeout(timer));
}
