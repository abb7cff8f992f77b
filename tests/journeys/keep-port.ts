import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ranges that systems use for `listen(0)` and outgoing connections (Linux from 32768, others from 49152), so
 * that nothing takes one of these ports while its program is down.
 */
export const keptPorts = { from: 20_000, to: 32_767 } as const;
const triesMax = 200;

export type KeptPort = { readonly port: number; giveBack(): Promise<void> };

/**
 * A TCP port of 127.0.0.1 for a program that restarts at the same address: `wished` or the next free one. It is
 * reserved for the caller until it is returned or this process ends.
 * @throws Error when none of 200 is free.
 */
export async function keepPort(wished = randomInt(keptPorts.from, keptPorts.to + 1)): Promise<KeptPort> {
  const { from, to } = keptPorts;
  for (let step = 0; step < triesMax; step += 1) {
    const port = from + ((wished - from + step) % (to - from + 1));
    const token = await takeToken(port);
    if (token === null) continue;
    if (await isFree(port)) return { port, giveBack: () => drop(token) };
    await drop(token);
  }
  throw new Error(`none of ${triesMax} ports from ${wished} on is free`);
}

/** Holding the number over UDP reserves the TCP port. The system releases it when the process ends for any reason. */
async function takeToken(port: number): Promise<Socket | null> {
  const token = createSocket('udp4');
  const bound = Promise.withResolvers<boolean>();
  token.once('error', () => bound.resolve(false));
  token.bind({ port, address: '127.0.0.1', exclusive: true }, () => bound.resolve(true));
  if (await bound.promise) return token.unref();
  token.close();
  return null;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const bound = Promise.withResolvers<boolean>();
  probe.once('error', () => bound.resolve(false));
  probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => bound.resolve(true));
  if (!(await bound.promise)) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

async function drop(token: Socket): Promise<void> {
  const closed = once(token, 'close');
  token.close();
  await closed;
}
