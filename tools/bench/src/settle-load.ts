import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A process of stations that charge repeatedly: start, one reading, stop. Controlled over IPC. */
export type SettleOrder =
  | { kind: 'connect'; url: string; password: string; stations: { number: string; card: string }[] }
  | { kind: 'run'; forMs: number };

type Station = {
  number: string;
  card: string;
  socket: WebSocket;
  calls: number;
  meterWh: number;
  waiting: ((payload: { transactionId?: number }) => void) | null;
};

const stations: Station[] = [];

process.on('message', (order: SettleOrder) => {
  carryOut(order).then(
    (settled) => process.send?.({ settled }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});

async function carryOut(order: SettleOrder): Promise<number> {
  if (order.kind === 'connect') {
    for (const station of order.stations) await connect(order.url, station, order.password);
    return 0;
  }
  const until = Date.now() + order.forMs;
  const counts = await Promise.all(stations.map((station) => chargeUntil(station, until)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function connect(
  url: string,
  { number, card }: { number: string; card: string },
  password: string,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}`;
  const socket = new WebSocket(url + number, 'ocpp1.6', { headers: { authorization }, perMessageDeflate: false });
  await once(socket, 'open');
  const station: Station = { number, card, socket, calls: 0, meterWh: 0, waiting: null };
  socket.on('message', (data) => {
    const [kind, , payload] = JSON.parse(String(data)) as [number, string, { transactionId?: number }];
    if (kind === 3) station.waiting?.(payload);
    else if (kind === 4) throw new Error(String(data));
  });
  stations.push(station);
}

async function chargeUntil(station: Station, until: number): Promise<number> {
  let settled = 0;
  while (Date.now() < until) {
    const startedAt = Date.now() - 3_600_000;
    const timestamp = new Date(startedAt).toISOString();
    const begun = await call(station, 'StartTransaction', {
      connectorId: 1,
      idTag: station.card,
      meterStart: station.meterWh,
      timestamp,
    });
    const transactionId = begun.transactionId ?? 0;
    station.meterWh += 20_000;
    await call(station, 'MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [
        {
          timestamp: new Date(startedAt + 1_200_000).toISOString(),
          sampledValue: [{ value: String(station.meterWh - 10_000) }],
        },
      ],
    });
    await call(station, 'StopTransaction', {
      transactionId,
      meterStop: station.meterWh,
      timestamp: new Date(startedAt + 2_400_000).toISOString(),
    });
    settled += 1;
  }
  return settled;
}

async function call(station: Station, action: string, payload: unknown): Promise<{ transactionId?: number }> {
  station.calls += 1;
  return new Promise((resolve) => {
    station.waiting = resolve;
    station.socket.send(JSON.stringify([2, `c${station.calls}`, action, payload]));
  });
}
