import { writeFrame } from '@voltdeck/ykc/frame';
import { openPile, type PileSocket } from './pile-socket.ts';

/** A process of YKC piles that sign in, report themselves free, and then send a heartbeat every ten seconds. */
export type IdlePilesOrder = { port: number; numbers: string[] };

/** Section 3.3, rule 1. */
const heartbeatEveryMs = 10_000;
const slices = 100;

type Pile = { socket: PileSocket; heartbeat: Uint8Array };
const piles: Pile[] = [];

process.once('message', (order: IdlePilesOrder) => {
  connectAll(order).then(
    () => process.send?.({ connected: order.numbers.length }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});

async function connectAll({ port, numbers }: IdlePilesOrder): Promise<void> {
  let slice = 0;
  // In slices of a tenth of a second, so that the heartbeats are spread evenly.
  setInterval(() => {
    for (let index = slice; index < piles.length; index += slices) {
      const pile = piles[index];
      pile?.socket.sendBytes(pile.heartbeat);
    }
    slice = (slice + 1) % slices;
  }, heartbeatEveryMs / slices);
  for (let index = 0; index < numbers.length; index += 100) {
    piles.push(...(await Promise.all(numbers.slice(index, index + 100).map((number) => connect(port, number)))));
  }
}

async function connect(port: number, pileNo: string): Promise<Pile> {
  const socket = await openPile(port, pileNo);
  const gun = { pileNo, gunNo: 1 };
  socket.send({
    kind: 'realtime-data',
    tradeNo: '0'.repeat(32),
    ...gun,
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
  });
  const heartbeat = writeFrame({ kind: 'heartbeat', ...gun, gunState: 0 }, 3);
  const answered = socket.hears('heartbeat-answer');
  socket.sendBytes(heartbeat);
  await answered;
  return { socket, heartbeat };
}
