import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { emptyRemainder, type Frame, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import type { Message, MessageKind, MessageOf } from '@voltdeck/ykc/messages/all';

/** The pile's end of a YKC connection, as thin as possible: the bench measures the other end. */
export type PileSocket = {
  send(message: Message): void;
  sendBytes(bytes: Uint8Array): void;
  /** Resolves with the next message of this kind. */
  hears<Kind extends MessageKind>(kind: Kind): Promise<MessageOf<Kind>>;
  /** Called for every frame that nobody waits for. */
  onFrame(handle: (frame: Frame) => void): void;
  /** Writes, and resolves when the socket accepts more. */
  flood(bytes: Uint8Array): Promise<void>;
  onClose(handle: () => void): void;
  destroy(): void;
};

/** Connects and signs in. @throws Error when refused. */
export async function openPile(port: number, pileNo: string): Promise<PileSocket> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let remainder: Uint8Array = emptyRemainder;
  let sequence = 0;
  let handle: ((frame: Frame) => void) | null = null;
  const waits: { kind: MessageKind; done: (message: Message) => void }[] = [];
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const read = readFrames(remainder, chunk);
    remainder = read.remainder;
    for (const frame of read.frames) {
      if (waits.length > 0) {
        const message = readMessage(frame);
        const at = message.kind === 'fault' ? -1 : waits.findIndex((wait) => wait.kind === message.kind);
        if (at !== -1 && message.kind !== 'fault') {
          waits.splice(at, 1)[0]?.done(message);
          continue;
        }
      }
      handle?.(frame);
    }
  });
  const pile: PileSocket = {
    send(message) {
      socket.write(writeFrame(message, sequence));
      sequence = (sequence + 1) & 0xffff;
    },
    sendBytes: (bytes) => void socket.write(bytes),
    hears: <Kind extends MessageKind>(kind: Kind) =>
      new Promise<MessageOf<Kind>>((done) => waits.push({ kind, done: (message) => done(message as MessageOf<Kind>) })),
    onFrame(next) {
      handle = next;
    },
    async flood(bytes) {
      if (socket.destroyed) throw new Error(`pile ${pileNo} was cut`);
      await new Promise<void>((taken) => socket.write(bytes, () => taken()));
    },
    onClose: (handle) => void socket.once('close', handle),
    destroy: () => void socket.destroy(),
  };
  const answered = pile.hears('login-answer');
  pile.send({
    kind: 'login',
    pileNo,
    pileType: 0,
    gunCount: 1,
    protoVersion: 16,
    softwareVersion: 'BENCH',
    netType: 1,
    sim: '0'.repeat(20),
    carrier: 4,
  });
  const { result } = await answered;
  if (result !== 0) throw new Error(`pile ${pileNo} was refused`);
  return pile;
}
