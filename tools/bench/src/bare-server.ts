import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The baseline of every OCPP server on `ws`: parse the frame, answer it, store nothing. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const [, id, action] = JSON.parse(String(data)) as [number, string, string];
    const payload = action === 'StartTransaction' ? { transactionId: 1, idTagInfo: { status: 'Accepted' } } : {};
    socket.send(JSON.stringify([3, id, payload]));
  });
});
