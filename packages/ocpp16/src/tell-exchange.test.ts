import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { tellExchange } from './tell-exchange.ts';

const at = instant(Date.parse('2026-11-21T03:00:00Z'));
const call = (action: string, payload: object) => JSON.stringify([2, 'm1', action, payload]);
const result = (payload: object) => JSON.stringify([3, 'm1', payload]);
const started = { connectorId: 2, idTag: 'a1', meterStart: 5, timestamp: '2026-11-21T03:00:00Z' };

test.each([
  [
    'Authorize',
    { idTag: 'a1' },
    { idTagInfo: { status: 'Accepted' } },
    { kind: 'card-shown', authorization: 'accepted' },
  ],
  [
    'Authorize',
    { idTag: 'a1' },
    { idTagInfo: { status: 'Blocked' } },
    { kind: 'card-shown', authorization: 'blocked' },
  ],
  [
    'Authorize',
    { idTag: 'a1' },
    { idTagInfo: { status: 'Expired' } },
    { kind: 'card-shown', authorization: 'expired' },
  ],
  [
    'Authorize',
    { idTag: 'a1' },
    { idTagInfo: { status: 'Invalid' } },
    { kind: 'card-shown', authorization: 'unknown' },
  ],
  [
    'Authorize',
    { idTag: 'a1' },
    { idTagInfo: { status: 'ConcurrentTx' } },
    { kind: 'card-shown', cardNumber: 'A1', authorization: 'already_charging' },
  ],
  [
    'StartTransaction',
    started,
    { idTagInfo: { status: 'Accepted' }, transactionId: 7 },
    { kind: 'began', connectorNumber: 2, transaction: 7 },
  ],
  [
    'StopTransaction',
    { transactionId: 7, meterStop: 9, timestamp: '2026-11-21T03:10:00Z' },
    {},
    { kind: 'ended', transaction: 7, isAnswered: true },
  ],
  [
    'BootNotification',
    { chargePointVendor: 'V', chargePointModel: 'M' },
    { status: 'Rejected', currentTime: '', interval: 9 },
    { kind: 'booted', isAccepted: false },
  ],
  [
    'StatusNotification',
    { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' },
    {},
    { kind: 'port-changed', connectorNumber: 1, state: 'fault', faultCode: 'GroundFailure' },
  ],
])('%s %o with the answer %o is told in our words', (action, payload, answer, told) => {
  const exchange = { direction: 'from-station', request: call(action, payload), answer: result(answer) } as const;
  expect(tellExchange(exchange, at)).toMatchObject(told);
});

test.each([
  [result({ status: 'Accepted' }), { kind: 'accepted' }],
  [result({ status: 'Rejected' }), { kind: 'refused', reason: null }],
  [JSON.stringify([4, 'm1', 'InternalError', '', {}]), { kind: 'refused', reason: null }],
  [null, { kind: 'unanswered' }],
])('a start and a stop of ours with the answer %s', (answer, outcome) => {
  const direction = 'to-station';
  const start = call('RemoteStartTransaction', { connectorId: 1, idTag: 'A1' });
  expect(tellExchange({ direction, request: start, answer }, at)).toEqual({
    kind: 'start-asked',
    connectorNumber: 1,
    outcome,
  });
  const stop = call('RemoteStopTransaction', { transactionId: 7 });
  expect(tellExchange({ direction, request: stop, answer }, at)).toMatchObject({
    kind: 'stop-asked',
    transaction: 7,
    outcome,
  });
});

test('a card without an answer is told as one, and what no story needs or nobody can read is not told', () => {
  const direction = 'from-station';
  expect(tellExchange({ direction, request: call('Authorize', { idTag: 'a1' }), answer: null }, at)).toMatchObject({
    authorization: null,
  });
  const untold = [
    call('Heartbeat', {}),
    call('Authorize', {}),
    call('Unheard', {}),
    call('StatusNotification', { connectorId: 0, status: 'Available', errorCode: 'NoError' }),
    result({}),
    '[2,',
    '',
  ];
  for (const request of untold) expect(tellExchange({ direction, request, answer: result({}) }, at)).toBeNull();
});
