import { randomFrom } from '@voltdeck/units/random';
import { expect, test } from 'vitest';
import { writeFrame } from './frame.ts';
import { toHex } from './hex.ts';
import { definitions, type Message, type MessageKind } from './messages/all.ts';
import { anyMessage, messageKinds } from './mutated-frames.ts';
import { tellExchange, toldActions } from './tell-exchange.ts';

const random = randomFrom(7);
const textOf = (kind: MessageKind, over: Record<string, unknown> = {}) =>
  toHex(writeFrame({ ...anyMessage(kind, random), ...over } as Message, 1));

test.each([
  [1, 0, 'accepted'],
  [0, 1, 'unknown'],
  [0, 2, 'blocked'],
  [0, 3, 'no_balance'],
  [0, 4, 'already_charging'],
  [0, 5, 'station_closed'],
  [0, 9, 'vehicle_unknown'],
  [0, 11, 'not_supported'],
])('a request to charge answered %i with the reason %i is told as %s', (authOk, failReason, authorization) => {
  const request = textOf('charge-application', { gunNo: 2, account: '00000000000000A1', startMode: 1 });
  const answer = textOf('charge-application-answer', { authOk, failReason });
  expect(tellExchange({ direction: 'from-station', request, answer })).toEqual({
    kind: 'card-shown',
    connectorNumber: 2,
    cardNumber: '00000000000000A1',
    authorization,
  });
});

test.each([
  [1, 0, { kind: 'accepted' }],
  [0, 5, { kind: 'scheduled' }],
  [0, 3, { kind: 'refused', reason: 'fault' }],
])('a start with the result %i and the reason %i', (result, failReason, outcome) => {
  const request = textOf('remote-start', { gunNo: 1 });
  const answer = textOf('remote-start-reply', { gunNo: 1, result, failReason });
  expect(tellExchange({ direction: 'to-station', request, answer })).toEqual({
    kind: 'start-asked',
    connectorNumber: 1,
    outcome,
  });
  expect(tellExchange({ direction: 'to-station', request, answer: null })).toMatchObject({
    outcome: { kind: 'unanswered' },
  });
});

test('a stop, a login and a record are told, and every other frame is not', () => {
  const stop = textOf('remote-stop', { gunNo: 1 });
  const refused = textOf('remote-stop-reply', { gunNo: 1, result: 0, failReason: 2 });
  expect(tellExchange({ direction: 'to-station', request: stop, answer: refused })).toMatchObject({
    kind: 'stop-asked',
    outcome: { kind: 'refused', reason: 'not_charging' },
  });
  const login = { direction: 'from-station', request: textOf('login') } as const;
  expect(tellExchange({ ...login, answer: textOf('login-answer', { result: 0 }) })).toEqual({
    kind: 'booted',
    isAccepted: true,
  });
  expect(tellExchange({ ...login, answer: textOf('login-answer', { result: 1 }) })).toMatchObject({
    isAccepted: false,
  });
  const tradeNo = '32010200000001012611290200000001';
  const record = textOf('transaction-record', { gunNo: 1, tradeNo });
  expect(tellExchange({ direction: 'from-station', request: record, answer: null })).toEqual({
    kind: 'ended',
    connectorNumber: 1,
    transaction: tradeNo,
    isAnswered: false,
  });
  for (const kind of messageKinds) {
    const isTold = toldActions.includes(`0x${definitions[kind].type.toString(16).toUpperCase().padStart(2, '0')}`);
    const told = tellExchange({ direction: 'from-station', request: textOf(kind), answer: null });
    expect([kind, told !== null]).toEqual([kind, isTold]);
  }
  for (const request of ['', 'ZZ', '68', '0102']) {
    expect(tellExchange({ direction: 'from-station', request, answer: null })).toBeNull();
  }
});
