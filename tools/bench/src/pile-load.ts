import { writeFrame } from '@voltdeck/ykc/frame';
import { beginCharge, liveWith } from './charging-pile.ts';
import { openPile, type PileSocket } from './pile-socket.ts';
import type { LoadReport } from './station-load.ts';

/**
 * A process of YKC piles that load a server. Live data (0x13) are never answered, so in every round each pile sends
 * one, and an eighth of the piles then send a heartbeat (0x03), which is answered when everything before it is durable.
 * The next round starts after all those answers. A pile thus has one live data in flight, rarely two.
 */
export type PileOrder =
  | { kind: 'connect'; port: number; piles: { number: string; card: string }[] }
  | { kind: 'run'; forMs: number }
  | { kind: 'end' };

/** Rounds per heartbeat of the same pile. A real pile sends two live data to three heartbeats. */
const roundsToHeartbeat = 8;

type Pile = { socket: PileSocket; live: Uint8Array; heartbeat: Uint8Array; energy: number };

const piles: Pile[] = [];
let whenAnswered = Promise.withResolvers<void>();
let unanswered = 0;
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
      await runRounds(order.forMs);
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
  const live = await beginCharge(socket, number, card);
  const heartbeat = writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, 2);
  const pile: Pile = { socket, live, heartbeat, energy: 0 };
  socket.onFrame((frame) => {
    if (frame.type !== 0x04) return;
    unanswered -= 1;
    if (unanswered === 0) whenAnswered.resolve();
  });
  piles.push(pile);
}

async function runRounds(forMs: number): Promise<void> {
  const endsAt = performance.now() + forMs;
  for (let round = 0; performance.now() < endsAt; round += 1) {
    const beganAt = performance.now();
    const speaking = piles.filter((_, index) => index % roundsToHeartbeat === round % roundsToHeartbeat);
    unanswered = speaking.length;
    whenAnswered = Promise.withResolvers();
    for (const pile of piles) {
      pile.energy += 160;
      pile.socket.sendBytes(liveWith(pile.live, pile.energy));
    }
    for (const { socket, heartbeat } of speaking) socket.sendBytes(heartbeat);
    await whenAnswered.promise;
    messages += piles.length;
    latenciesMs.push(performance.now() - beganAt);
  }
}

function report(message: LoadReport): void {
  process.send?.(message);
}
