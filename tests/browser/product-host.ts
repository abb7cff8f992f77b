import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Endings } from '@voltdeck/server/endings';
import { readEnvironment } from '@voltdeck/server/environment';
import { logTo } from '@voltdeck/server/open-log';
import { startServer } from '@voltdeck/server/start-server';
import { instant } from '@voltdeck/units/instant';
import type { HostSaid } from './hosted-product.ts';
import { setClockAhead } from './off-midnight.ts';
import type { HostAsked } from './product-setup.ts';

setClockAhead(Number(process.env.CLOCK_AHEAD_MS));

/**
 * A process that runs the product for many test files, since loading the server takes as long as most of them. Every
 * connection gets a complete server with its own database, ports and folder while it stays open.
 */
const host = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => undefined);
  const lines = createInterface({ input: socket });
  const say = (said: HostSaid) => {
    if (socket.writable) socket.write(`${JSON.stringify(said)}\n`);
  };
  lines.once('line', (line) => {
    void serve(JSON.parse(line) as HostAsked, socket, say).catch((error: Error) => {
      say({ kind: 'failed', because: error.stack ?? error.message });
      socket.end();
    });
  });
});

async function serve(asked: HostAsked, socket: Socket, say: (said: HostSaid) => void): Promise<void> {
  const left = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', resolve);
  });
  try {
    await runServer(asked, say, left);
  } finally {
    socket.end();
  }
}

async function runServer(
  { settings, aheadMs }: HostAsked,
  say: (said: HostSaid) => void,
  left: Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-shared-'));
  const read = readEnvironment({ ...settings, DATA_DIR: dataDir });
  if (!read.ok) throw new Error(`unusable settings: ${JSON.stringify(read.error)}`);
  const endings = new Endings();
  endings.add('folder', () => rm(dataDir, { recursive: true, force: true }));
  const log = logTo({ write: (line) => say({ kind: 'log', line: line.trimEnd() }) });
  try {
    await startServer(read.value, {
      tls: null,
      log,
      endings,
      now: () => instant(Date.now() + aheadMs),
      onListening: ({ url, ykcPort }) => say({ kind: 'listening', url, ykcPort }),
    });
    say({ kind: 'ready' });
    await left;
  } finally {
    await endings.endAll();
  }
}

process.once('message', async (asked: HostAsked) => {
  await runServer(asked, () => undefined, Promise.resolve());
  host.listen(0, '127.0.0.1', () => process.send?.((host.address() as AddressInfo).port));
});
// The run that started it has ended.
process.once('disconnect', () => process.exit());
