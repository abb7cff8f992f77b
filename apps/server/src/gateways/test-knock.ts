import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { testPassword } from '../charging/test-charging-floor.ts';

export type Knocked = { status: number; headers: IncomingMessage['headers']; socket: WebSocket };

export const basicOf = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Tries to connect: 101 with an open socket, or the status of the refusal. */
export async function knock(
  url: string,
  options: {
    authorization?: string | null;
    localAddress?: string;
    forwardedFor?: string;
    tls?: { ca: string; cert?: string; key?: string };
  } = {},
): Promise<Knocked> {
  const { localAddress, forwardedFor, tls } = options;
  const authorization =
    options.authorization === undefined ? basicOf(numberOf(url), testPassword) : options.authorization;
  const socket = new WebSocket(url, 'ocpp1.6', {
    headers: {
      ...(authorization !== null && { authorization }),
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
    ...(localAddress !== undefined && { localAddress }),
    ...tls,
  });
  return new Promise((resolve, reject) => {
    let headers: IncomingMessage['headers'] = {};
    socket.on('upgrade', (response) => {
      headers = response.headers;
    });
    socket.on('open', () => resolve({ status: 101, headers, socket }));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, socket });
    });
    socket.on('error', reject);
  });
}

function numberOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '');
}
