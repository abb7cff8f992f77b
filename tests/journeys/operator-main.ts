import { randomUUID } from 'node:crypto';
import { appendFileSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dice } from './dice.ts';
import type { BookEntry } from './operator.ts';
import { type OperatorKeys, openRequest, sealAnswer } from './operator-envelope.ts';

/**
 * The other operator as a process of its own, whose link fails before, during and after its answers. An order is in its
 * book, on the disk, before it is confirmed; tokens are forgotten with the process.
 */
type Settings = { port: number; bookPath: string; keys: OperatorKeys; seed: number };
const { port, bookPath, keys, seed } = JSON.parse(process.argv[2] ?? '') as Settings;
const chance = dice(seed);
const failures = ['cut before', 'busy', 'cut after', 'half an answer', 'gateway'] as const;
const failureShare = 0.5;

const book = openSync(bookPath, 'a+');
const written = readFileSync(bookPath, 'utf8');
// An entry that a kill tore was not confirmed.
const whole = written.slice(0, written.lastIndexOf('\n') + 1);
truncateSync(bookPath, Buffer.byteLength(whole));
const lines = whole.split('\n').slice(0, -1);
const known = new Set(lines.map((line) => (JSON.parse(line) as BookEntry).sequence));
const tokens = new Set<string>();

function enter(message: Record<string, unknown>): void {
  const sequence = String(message.StartChargeSeq);
  const entry: BookEntry = { sequence, isNew: !known.has(sequence), message };
  appendFileSync(book, `${JSON.stringify(entry)}\n`);
  fsyncSync(book);
  known.add(sequence);
}

function answerOf(name: string, asked: Record<string, unknown>): object {
  switch (name) {
    case 'query_token': {
      const token = randomUUID();
      tokens.add(token);
      return {
        OperatorID: asked.OperatorID,
        SuccStat: 0,
        AccessToken: token,
        TokenAvailableTime: 7_200,
        FailReason: 0,
      };
    }
    case 'notification_charge_order_info':
      enter(asked);
      return { StartChargeSeq: asked.StartChargeSeq, ConnectorID: asked.ConnectorID, ConfirmResult: 0 };
    case 'check_charge_orders': {
      const { CheckOrderSeq, StartTime, EndTime } = asked;
      const none = { TotalDisputeOrder: 0, TotalDisputePower: 0, TotalDisputeMoney: 0, DisputeOrders: [] };
      return { CheckOrderSeq, StartTime, EndTime, ...none };
    }
    case 'notification_stationStatus':
      return { Status: 0 };
    default:
      return { StartChargeSeq: asked.StartChargeSeq, SuccStat: 0, FailReason: 0 };
  }
}

function answer(name: string, token: string, body: string, response: ServerResponse): void {
  const asked = openRequest(body, keys);
  if (asked === null) return void response.end(sealAnswer(keys, 4001, null));
  if (name !== 'query_token' && !tokens.has(token)) return void response.end(sealAnswer(keys, 4002, null));
  const failure = name !== 'query_token' && chance.next() < failureShare ? chance.pick(failures) : null;
  if (failure === 'cut before') return void response.socket?.destroy();
  if (failure === 'busy') return void response.end(sealAnswer(keys, -1, null));
  const text = sealAnswer(keys, 0, answerOf(name, asked));
  if (failure === 'cut after') return void response.socket?.destroy();
  if (failure === 'gateway') return void response.writeHead(502).end('Bad Gateway');
  if (failure !== 'half an answer') return void response.end(text);
  response.writeHead(200, { 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    answer(name, (request.headers.authorization ?? '').replace(/^Bearer /, ''), body, response);
  });
}).listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
