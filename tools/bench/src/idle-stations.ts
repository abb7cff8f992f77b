import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A process of stations that boot and then only send occasional heartbeats. */
export type IdleOrder = { url: string; numbers: string[]; password: string };

process.once('message', (order: IdleOrder) => {
  connectAll(order).then(
    () => process.send?.({ connected: order.numbers.length }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});

async function connectAll({ url, numbers, password }: IdleOrder): Promise<void> {
  for (let index = 0; index < numbers.length; index += 100) {
    await Promise.all(numbers.slice(index, index + 100).map((number) => connect(url, number, password)));
  }
}

async function connect(url: string, number: string, password: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}`;
  const socket = new WebSocket(url + number, 'ocpp1.6', { headers: { authorization }, perMessageDeflate: false });
  await once(socket, 'open');
  for (const call of [
    [2, '1', 'BootNotification', { chargePointVendor: 'Bench', chargePointModel: 'Idle' }],
    [2, '2', 'StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' }],
    [2, '3', 'Heartbeat', {}],
  ]) {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify(call));
    await answered;
  }
}
