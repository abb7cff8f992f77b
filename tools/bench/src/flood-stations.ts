import { writeFrame } from '@voltdeck/ykc/frame';
import { burnCpu } from './burn-cpu.ts';
import { beginCharge, liveWith } from './charging-pile.ts';
import { carryOutOrders } from './child-answers.ts';
import type { FloodStation } from './flood-network.ts';
import { meterValues, openOcppStation } from './ocpp-station.ts';
import { openPile } from './pile-socket.ts';

/** A process of stations that charge and send valid frames as fast as their sockets take them. */
export type FloodStationsOrder =
  | { kind: 'connect'; port: number; ykcPort: number; ocpp: FloodStation[]; ykc: FloodStation[] }
  | { kind: 'run'; forMs: number }
  /** Uses as much of a core as the flooders did. */
  | { kind: 'burn'; share: number; forMs: number };

export type FloodStationsReport = { sent: number; answered: number; cut: number };

const framesAtOnce = 64;
/** Per station; on any machine that we know, time runs out first. */
const framesMax = 4_000_000;
const heartbeatEvery = 8;

type Flooder = { flood(first: number): Promise<void>; answered(): number; destroy(): void };

let flooders: Flooder[] = [];
let cut = 0;

carryOutOrders<FloodStationsOrder, FloodStationsReport>(async (order) => {
  if (order.kind === 'connect') {
    flooders = [
      ...(await Promise.all(order.ocpp.map((station) => floodByOcpp(`ws://127.0.0.1:${order.port}/ocpp/`, station)))),
      ...(await Promise.all(order.ykc.map((station) => floodByYkc(order.ykcPort, station)))),
    ];
    return { sent: 0, answered: 0, cut };
  }
  if (order.kind === 'burn') {
    await burnCpu(order.share, order.forMs);
    return { sent: 0, answered: 0, cut };
  }
  const until = performance.now() + order.forMs;
  const sent = await Promise.all(flooders.map((flooder) => floodUntil(flooder, until)));
  for (const { destroy } of flooders) destroy();
  const answered = flooders.reduce((sum, flooder) => sum + flooder.answered(), 0);
  return { sent: sent.reduce((sum, count) => sum + count, 0), answered, cut };
});

async function floodUntil({ flood }: Flooder, until: number): Promise<number> {
  let sent = 0;
  while (performance.now() < until && sent < framesMax) {
    const over = new Promise<'over'>((resolve) => setTimeout(resolve, until - performance.now(), 'over').unref());
    const outcome = await Promise.race([flood(sent).catch(() => 'cut' as const), over]);
    if (outcome === 'over') break;
    if (outcome === 'cut') {
      cut += 1;
      break;
    }
    sent += framesAtOnce;
  }
  return sent;
}

async function floodByOcpp(url: string, { number, card }: FloodStation): Promise<Flooder> {
  const station = await openOcppStation(url, number);
  const start = { connectorId: 1, idTag: card, meterStart: 0, timestamp: new Date().toISOString() };
  const transactionId = Number((await station.call('StartTransaction', start)).transactionId);
  return {
    flood(first) {
      const at = new Date();
      return station.flood(
        Array.from({ length: framesAtOnce }, (_, index) =>
          JSON.stringify(
            index % heartbeatEvery === 0
              ? [2, `f${first + index}`, 'Heartbeat', {}]
              : [2, `f${first + index}`, 'MeterValues', meterValues(transactionId, 1_000, at)],
          ),
        ),
      );
    },
    answered: () => station.answers,
    destroy: () => station.destroy(),
  };
}

async function floodByYkc(port: number, { number, card }: FloodStation): Promise<Flooder> {
  const pile = await openPile(port, number);
  const live = liveWith(await beginCharge(pile, number, card), 1_000);
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, 2);
  const bytes = Buffer.concat(
    Array.from({ length: framesAtOnce }, (_, index) => (index % heartbeatEvery === 0 ? heartbeat : live)),
  );
  let answers = 0;
  pile.onFrame(({ type }) => {
    if (type === 0x04) answers += 1;
  });
  return { flood: () => pile.flood(bytes), answered: () => answers, destroy: () => pile.destroy() };
}
