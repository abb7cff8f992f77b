import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * A process of stations that load a server: each keeps one MeterValues outstanding and sends the next after its answer.
 * Controlled by its parent over IPC, so that its CPU time is separate from the server's.
 */
export type LoadOrder =
  | { kind: 'connect'; url: string; stations: { number: string; password: string; card: string }[] }
  | { kind: 'run'; forMs: number }
  | { kind: 'end' };
export type LoadReport =
  | { kind: 'connected' }
  | { kind: 'ran'; messages: number; latenciesMs: number[] }
  | { kind: 'failed'; because: string };

type Station = {
  socket: WebSocket;
  number: string;
  card: string;
  transactionId: number;
  sent: number;
  energyWh: number;
  at: number;
};

const stations: Station[] = [];
let isRunning = false;
let messages = 0;
let latenciesMs: number[] = [];

process.on('message', (order: LoadOrder) => {
  carryOut(order).catch((error: unknown) => report({ kind: 'failed', because: String(error) }));
});

async function carryOut(order: LoadOrder): Promise<void> {
  switch (order.kind) {
    case 'connect': {
      for (let index = 0; index < order.stations.length; index += 50) {
        await Promise.all(order.stations.slice(index, index + 50).map((station) => connect(order.url, station)));
      }
      report({ kind: 'connected' });
      break;
    }
    case 'run': {
      messages = 0;
      latenciesMs = [];
      isRunning = true;
      for (const station of stations) sendReading(station);
      await new Promise((resolve) => setTimeout(resolve, order.forMs));
      isRunning = false;
      report({ kind: 'ran', messages, latenciesMs });
      break;
    }
    case 'end':
      for (const { socket } of stations) socket.terminate();
      process.disconnect();
      break;
  }
}

async function connect(
  url: string,
  { number, password, card }: { number: string; password: string; card: string },
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}`;
  const socket = new WebSocket(url + number, 'ocpp1.6', { headers: { authorization }, perMessageDeflate: false });
  await once(socket, 'open');
  const station: Station = { socket, number, card, transactionId: 0, sent: 0, energyWh: 0, at: Date.now() - 3_600_000 };
  const started = new Promise<void>((resolve, reject) => {
    socket.once('message', (data) => {
      const [kind, , payload] = JSON.parse(String(data)) as [number, string, { transactionId?: number }];
      if (kind !== 3) reject(new Error(String(data)));
      station.transactionId = payload.transactionId ?? 1;
      resolve();
    });
  });
  const timestamp = new Date(station.at).toISOString();
  socket.send(
    JSON.stringify([2, 'start', 'StartTransaction', { connectorId: 1, idTag: card, meterStart: 0, timestamp }]),
  );
  await started;
  let sentAt = 0;
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as [number, string];
    if (frame[0] !== 3) return;
    messages += 1;
    if ((messages & 63) === 0) latenciesMs.push(performance.now() - sentAt);
    if (isRunning) {
      sentAt = performance.now();
      sendReading(station);
    }
  });
  stations.push(station);
}

function sendReading(station: Station): void {
  station.sent += 1;
  station.at += 1_000;
  station.energyWh += 16;
  const timestamp = new Date(station.at).toISOString();
  const { transactionId } = station;
  station.socket.send(
    JSON.stringify([
      2,
      `m${station.sent}`,
      'MeterValues',
      {
        connectorId: 1,
        transactionId,
        meterValue: [
          {
            timestamp,
            sampledValue: [
              { value: String(station.energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
              { value: '60000', measurand: 'Power.Active.Import', unit: 'W' },
              { value: String(20 + (station.sent % 60)), measurand: 'SoC', unit: 'Percent' },
            ],
          },
        ],
      },
    ]),
  );
}

function report(message: LoadReport): void {
  process.send?.(message);
}
