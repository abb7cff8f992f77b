import { refundOrder } from '@voltdeck/contract/orders';
import { createRecharge } from '@voltdeck/contract/payments';
import type { CardId, OrderId } from '@voltdeck/units/id';
import { type Fen, fen } from '@voltdeck/units/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from './call.ts';
import { Refused } from './refused.ts';

type Sent = { address: string; key: string | undefined };
let sent: Sent[] = [];
let answer: () => Response;

const envelope = (status: number, error?: string) =>
  Response.json(
    { message: { status, code: status === 200 ? 0 : status, message: 'said', error }, data: {} },
    { status },
  );

beforeEach(() => {
  sent = [];
  vi.stubGlobal('document', { cookie: 'zhny_token=t' });
  // Without a network a call fails at once.
  vi.stubGlobal('navigator', { onLine: false });
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Record<string, string> }) => {
    sent.push({ address, key: headers['idempotency-key'] });
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

let order = 0;
const refund = (amountFen: Fen, form: string) =>
  call(refundOrder, {
    params: { id: order as OrderId },
    body: { amountFen, reason: 'broken cable' },
    idempotencyKey: form,
    quiet: true,
  }).catch((failure: unknown) => failure);
const keys = () => sent.map(({ key }) => key);
const noAnswer = () => {
  throw new TypeError('network');
};

test.each([
  ['no answer', noAnswer],
  ['a database that went away in the middle', () => envelope(503, 'server.unavailable')],
  ['a failure of the server', () => envelope(500, 'server.failed')],
  ['a first try that is still being carried out', () => envelope(409, 'request.in_progress')],
])('after %s, a refund sent again from another form has the same key', async (_, first) => {
  order += 1;
  answer = first;
  await refund(fen(500), 'first-form');
  await refund(fen(500), 'second-form');
  answer = () => envelope(200);
  await refund(fen(700), 'corrected-form');
  expect(new Set(keys())).toEqual(new Set(['first-form']));
  await refund(fen(500), 'another-refund');
  expect(keys().at(-1)).toBe('another-refund');
});

test('a refund that was refused is sent again under a key of its own', async () => {
  order += 1;
  answer = () => envelope(409, 'order.refund_too_high');
  expect(await refund(fen(900), 'too-high')).toBeInstanceOf(Refused);
  await refund(fen(500), 'lower');
  expect(keys()).toEqual(['too-high', 'lower']);
});

test('an unanswered refund does not lend its key to another order, nor to a refund much later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  order += 1;
  answer = noAnswer;
  await refund(fen(500), 'first');
  order += 1;
  await refund(fen(500), 'other-order');
  vi.advanceTimersByTime(15 * 60_000);
  await refund(fen(500), 'much-later');
  expect(keys()).toEqual(['first', 'other-order', 'much-later']);
});

test('an unanswered recharge lends its key to the same recharge alone', async () => {
  const recharge = (cardId: number, amountFen: number) =>
    call(createRecharge, { body: { cardId: cardId as CardId, amountFen: fen(amountFen) }, quiet: true }).catch(
      () => {},
    );
  answer = noAnswer;
  await recharge(1, 500);
  await recharge(2, 500);
  await recharge(1, 500);
  const [first, other, again] = keys();
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('an unanswered refund keeps its key when the window is reloaded', async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  order += 1;
  const refundAfterReload = async (form: string) => {
    vi.resetModules();
    const reloaded = await import('./call.ts');
    await reloaded
      .call(refundOrder, {
        params: { id: order as OrderId },
        body: { amountFen: fen(500), reason: 'broken cable' },
        idempotencyKey: form,
        quiet: true,
      })
      .catch(() => {});
  };
  answer = noAnswer;
  await refundAfterReload('before');
  answer = () => envelope(200);
  await refundAfterReload('after');
  await refundAfterReload('another-refund');
  expect(keys()).toEqual(['before', 'before', 'another-refund']);
  kept.set('voltdeck-unanswered', '[7,{"a":null},["x"]]');
  await refundAfterReload('beside-garbage');
  expect(keys().at(-1)).toBe('beside-garbage');
});
