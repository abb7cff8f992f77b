import { crc16 } from '@voltdeck/ykc/crc';
import { writeFrame } from '@voltdeck/ykc/frame';
import { openPile, type PileSocket } from './pile-socket.ts';
import type { LoadReport } from './station-load.ts';

/**
 * A process of YKC piles that load a server. Live data (0x13) is never answered, so a heartbeat (0x03), which is
 * answered after all before it is durable, follows every `burst` of it: that many are outstanding at the most.
 */
export type PileOrder =
  | { kind: 'connect'; port: number; piles: { number: string; card: string }[] }
  | { kind: 'run'; forMs: number }
  | { kind: 'end' };

/** Live data to a heartbeat. A real pile sends two of the one to three of the other. */
const burst = 8;
/** Behind six bytes of header: trade number 16, pile 7, gun 1 and 22 bytes more. */
const energyAt = 6 + 46;

type Pile = { socket: PileSocket; live: Uint8Array; heartbeat: Uint8Array; energy: number };

const piles: Pile[] = [];
let isRunning = false;
let messages = 0;
let latenciesMs: number[] = [];

process.on('message', (order: PileOrder) => {
  carryOut(order).catch((error: unknown) => report({ kind: 'failed', because: String(error) }));
});

async function carryOut(order: PileOrder): Promise<void> {
  switch (order.kind) {
    case 'connect':
      for (let index = 0; index < order.piles.length; index += 50) {
        await Promise.all(order.piles.slice(index, index + 50).map((pile) => begin(order.port, pile)));
      }
      report({ kind: 'connected' });
      break;
    case 'run':
      messages = 0;
      latenciesMs = [];
      isRunning = true;
      for (const pile of piles) sendBurst(pile);
      await new Promise((resolve) => setTimeout(resolve, order.forMs));
      isRunning = false;
      report({ kind: 'ran', messages, latenciesMs });
      break;
    case 'end':
      for (const { socket } of piles) socket.destroy();
      process.disconnect();
      break;
  }
}

async function begin(port: number, { number, card }: { number: string; card: string }): Promise<void> {
  const socket = await openPile(port, number);
  const answered = socket.hears('charge-application-answer');
  socket.send({
    kind: 'charge-application',
    pileNo: number,
    gunNo: 1,
    startMode: 1,
    needPassword: 0,
    account: card,
    password: '0'.repeat(32),
    vin: '',
  });
  const { authOk, failReason, tradeNo } = await answered;
  if (authOk !== 1) throw new Error(`pile ${number} may not charge: ${failReason}`);
  const live = writeFrame(
    {
      kind: 'realtime-data',
      tradeNo,
      pileNo: number,
      gunNo: 1,
      state: 3,
      homed: 2,
      plugged: 1,
      voltage: 4_000,
      current: 1_500,
      cableTemp: 85,
      cableCode: '0'.repeat(16),
      soc: 40,
      battMaxTemp: 78,
      chargedMinutes: 1,
      remainMinutes: 60,
      energy: 0,
      lossEnergy: 0,
      amount: 0,
      hwFault: 0,
    },
    1,
  );
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, 2);
  const pile: Pile = { socket, live, heartbeat, energy: 0 };
  let sentAt = performance.now();
  socket.onFrame((frame) => {
    if (frame.type !== 0x04) return;
    messages += burst;
    if ((messages & 127) === 0) latenciesMs.push(performance.now() - sentAt);
    if (!isRunning) return;
    sentAt = performance.now();
    sendBurst(pile);
  });
  piles.push(pile);
}

/** Each live data is a frame, and a write, of its own, as a pile sends it. */
function sendBurst(pile: Pile): void {
  for (let index = 0; index < burst; index += 1) {
    pile.energy += 160;
    pile.socket.sendBytes(liveWith(pile.live, pile.energy));
  }
  pile.socket.sendBytes(pile.heartbeat);
}

function liveWith(template: Uint8Array, energy: number): Uint8Array {
  const bytes = template.slice();
  for (const offset of [0, 4]) new DataView(bytes.buffer).setUint32(energyAt + offset, energy, true);
  const crc = crc16(bytes, 2, bytes.length - 2);
  bytes[bytes.length - 2] = crc & 0xff;
  bytes[bytes.length - 1] = crc >>> 8;
  return bytes;
}

function report(message: LoadReport): void {
  process.send?.(message);
}
