import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { envelopeCharsMax } from '@voltdeck/tcec102/envelope';

/** How a request is sent: as it should be, slowly, or with a link that is cut at some point. */
export type Manner = 'usual' | 'slow' | 'cut-in-request' | 'cut-before-answer' | 'cut-in-answer';

export type Posted = { kind: 'answered'; httpStatus: number; text: string } | { kind: 'none'; because: string };

const answerTimeoutMs = 30_000;
/** A slow request comes in so many pieces, with so much time between them. */
const slow = { pieces: 5, pauseMs: 300 } as const;

/** Posts a text. Whatever happens on the way is an outcome, never a throw. */
export function post(url: string, body: string, token: string | null, manner: Manner = 'usual'): Promise<Posted> {
  const payload = Buffer.from(body, 'utf8');
  const headers = {
    'content-type': 'application/json;charset=utf-8',
    'content-length': payload.length,
    // Every exchange has a link of its own, so that a cut one spoils nothing else.
    connection: 'close',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve) => {
    const ask = url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = ask(url, { method: 'POST', headers, timeout: answerTimeoutMs });
    const cut = () => {
      sent.destroy();
      resolve({ kind: 'none', because: manner });
    };
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', (error) => resolve({ kind: 'none', because: error.message }));
    sent.on('response', (response) => {
      if (manner === 'cut-in-answer') return cut();
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > envelopeCharsMax) return void sent.destroy(new Error('the answer is too long'));
        chunks.push(chunk);
      });
      response.on('error', (error) => resolve({ kind: 'none', because: error.message }));
      response.on('aborted', () => resolve({ kind: 'none', because: 'the answer broke off' }));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ kind: 'answered', httpStatus: response.statusCode ?? 0, text });
      });
    });
    switch (manner) {
      case 'cut-in-request':
        sent.write(payload.subarray(0, Math.floor(payload.length / 2)), cut);
        return;
      case 'cut-before-answer':
        sent.end(payload, cut);
        return;
      case 'slow':
        void sendSlowly(payload, (piece) => sent.write(piece)).then(() => sent.end());
        return;
      default:
        sent.end(payload);
    }
  });
}

async function sendSlowly(payload: Buffer, send: (piece: Buffer) => void): Promise<void> {
  const size = Math.ceil(payload.length / slow.pieces);
  for (let from = 0; from < payload.length; from += size) {
    if (from > 0) await pause(slow.pauseMs);
    send(payload.subarray(from, from + size));
  }
}
