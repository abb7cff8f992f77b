import { once } from 'node:events';
import { WebSocket } from 'ws';
import { benchPassword } from './seed-stations.ts';

/** The station's end of an OCPP connection, which may send calls without waiting for answers. */
export type OcppStation = {
  /** Resolves with the answer's payload. @throws Error when it is refused or the connection ends first. */
  call(action: string, payload: unknown): Promise<Record<string, unknown>>;
  /** Sends texts, and resolves when the socket accepts more. */
  flood(texts: readonly string[]): Promise<void>;
  onClose(handle: () => void): void;
  destroy(): void;
  /** The number of answers to `flood`. */
  readonly answers: number;
};

type Waiting = { done: (payload: Record<string, unknown>) => void; fail: (error: Error) => void };

/** Connects to `url` + number. @throws Error when it is refused. */
export async function openOcppStation(url: string, number: string): Promise<OcppStation> {
  const authorization = `Basic ${Buffer.from(`${number}:${benchPassword}`).toString('base64')}`;
  const socket = new WebSocket(url + number, 'ocpp1.6', { headers: { authorization }, perMessageDeflate: false });
  await once(socket, 'open');
  const waiting = new Map<string, Waiting>();
  let calls = 0;
  let answers = 0;
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    const [kind, id, payload] = JSON.parse(String(data)) as [number, string, Record<string, unknown>];
    if (kind !== 3 && kind !== 4) return;
    const one = waiting.get(id);
    waiting.delete(id);
    if (one === undefined) answers += 1;
    else if (kind === 3) one.done(payload);
    else one.fail(new Error(`station ${number}: ${String(data)}`));
  });
  socket.on('close', (code) => {
    for (const { fail } of waiting.values()) fail(new Error(`station ${number} was cut with ${code}`));
    waiting.clear();
  });
  return {
    call(action, payload) {
      calls += 1;
      const id = `c${calls}`;
      return new Promise((done, fail) => {
        waiting.set(id, { done, fail });
        socket.send(JSON.stringify([2, id, action, payload]), (error) => error && fail(error));
      });
    },
    async flood(texts) {
      await new Promise<void>((taken, fail) => {
        for (const text of texts.slice(0, -1)) socket.send(text);
        socket.send(texts.at(-1) ?? '', (error) => (error ? fail(error) : taken()));
      });
    },
    onClose: (handle) => void socket.once('close', handle),
    destroy: () => socket.terminate(),
    get answers() {
      return answers;
    },
  };
}

/** A reading during a charge: energy, power and state of charge, some 330 bytes. */
export function meterValues(transactionId: number, energyWh: number, at: Date): Record<string, unknown> {
  return {
    connectorId: 1,
    transactionId,
    meterValue: [
      {
        timestamp: at.toISOString(),
        sampledValue: [
          { value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: '60000', measurand: 'Power.Active.Import', unit: 'W' },
          { value: '40', measurand: 'SoC', unit: 'Percent' },
        ],
      },
    ],
  };
}
