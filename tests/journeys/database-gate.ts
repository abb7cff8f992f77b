import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { keepPort } from './keep-port.ts';

/** A gate between the server and its PostgreSQL that a test can close. */
export type DatabaseGate = {
  /** The database's address through the gate. */
  readonly url: string;
  /** Breaks open connections and refuses new ones, like a database that went down. */
  shut(): Promise<void>;
  /** Lets nothing through without closing anything, like a cut cable. */
  freeze(): void;
  /** Lets everything through again, including what waited. */
  open(): Promise<void>;
  close(): Promise<void>;
};

export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let isFrozen = false;
  const { port, giveBack } = await keepPort();

  const pass = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!isFrozen) from.resume();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isFrozen) from.pause();
    }
  };
  const listen = async (): Promise<void> => {
    server = createServer({ pauseOnConnect: false }, pass).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = async (): Promise<void> => {
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server = null;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.toString(),
    shut,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    async open() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (server === null) await listen();
    },
    async close() {
      await shut();
      await giveBack();
    },
  };
}
