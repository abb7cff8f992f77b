import type { StationCommand } from '@voltdeck/charging/station-command';
import { commandQueueMax, commandWaitMs } from '@voltdeck/connection/calls';
import { inboxMax, inboxPauseAt, inboxResumeAt } from '@voltdeck/connection/inbox';
import { lateHeartbeatMs, pongWaitMs, unansweredPingsMax } from '@voltdeck/connection/liveness';
import { businessWaitMs } from '@voltdeck/connection/machine';
import { stopAskIntervalMs, stopAsksMax } from '@voltdeck/connection/refused-charges';
import { secondMs } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { bootWaitMs, promisedBootWaitMs, reconnectWaitMs } from './boot-gate.ts';
import {
  callTimeoutMs,
  deadAt,
  isDead,
  openConnection,
  outstandingCall,
  refusedStartGraceMs,
  silenceMinMs,
} from './connection.ts';
import { agreeableBusiness, type Conversation, conversationStart, converse, payloadOf } from './test-conversation.ts';

const boot = { chargePointVendor: 'Vendor', chargePointModel: 'Model' };
const timestamp = '2026-11-21T07:59:00Z';
const start = { connectorId: 1, idTag: 'CARD', meterStart: 100, timestamp };
const stop = { transactionId: 1001, meterStop: 5000, timestamp };
const meterValues = { connectorId: 1, meterValue: [{ timestamp, sampledValue: [{ value: '5' }] }] };
const available = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
const clearCache: StationCommand = { kind: 'clear-cache' };
const remoteStart: StationCommand = { kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' };

const kinds = (effects: readonly { kind: string }[]) => effects.map((effect) => effect.kind);

describe('calls of the station', () => {
  test('a call becomes an event, and its answer an exchange followed by the reply', () => {
    const talk = converse({ decide: () => 'later' });
    expect(kinds(talk.feed({ kind: 'received', frame: '[2,"7","Heartbeat",{}]' }))).toEqual(['event']);
    talk.wait(40);
    const effects = talk.decides({ kind: 'noted' });
    const reply = '[3,"7",{"currentTime":"2026-11-21T08:00:00.040Z"}]';
    expect(effects).toEqual([
      {
        kind: 'exchange',
        exchange: {
          direction: 'from-station',
          action: 'Heartbeat',
          messageId: '7',
          requestText: '[2,"7","Heartbeat",{}]',
          requestedAt: conversationStart,
          replyText: reply,
          latencyMs: 40,
          fault: null,
        },
      },
      { kind: 'send', frame: reply, isAnswer: true },
    ]);
  });

  test('the next call is handed over only after the previous one was answered, and none overtakes', () => {
    const talk = converse({ decide: () => 'later' });
    talk.calls('StartTransaction', start);
    talk.calls('MeterValues', meterValues);
    talk.calls('StopTransaction', stop);
    expect(kinds(talk.events)).toEqual(['charge-started']);
    talk.decides({ kind: 'charge-started', transactionNumber: 1001, authorization: 'accepted' });
    talk.decides({ kind: 'noted' });
    talk.decides({ kind: 'charge-stopped' });
    expect(kinds(talk.effects)).toEqual([
      'event',
      'exchange',
      'send',
      'event',
      'exchange',
      'send',
      'event',
      'exchange',
      'send',
    ]);
    expect(kinds(talk.events)).toEqual(['charge-started', 'readings-taken', 'charge-stopped']);
  });

  test('an answer to an event that is already answered has no effect', () => {
    const talk = converse({ decide: () => 'later' });
    talk.calls('Heartbeat', {});
    talk.decides({ kind: 'noted' });
    expect(talk.feed({ kind: 'answered', ref: 1, answer: { kind: 'noted' } })).toEqual([]);
    expect(talk.feed({ kind: 'refused', ref: 99, because: 'failed' })).toEqual([]);
  });

  test('an unknown action is not implemented, a known one that we do not serve is not supported', () => {
    const talk = converse();
    expect(talk.calls('MakeCoffee', {})?.slice(2, 3)).toEqual(['NotImplemented']);
    expect(talk.calls('constructor', {})?.slice(2, 3)).toEqual(['NotImplemented']);
    expect(talk.calls('GetLog', {})?.slice(2, 3)).toEqual(['NotSupported']);
    expect(talk.calls('Reset', { type: 'Soft' })?.slice(2, 3)).toEqual(['NotSupported']);
    expect(talk.events).toEqual([]);
    expect(talk.exchanges.map((exchange) => exchange.fault?.code)).toEqual([
      'NotImplemented',
      'NotImplemented',
      'NotSupported',
      'NotSupported',
    ]);
  });

  test('a violation of the schema is answered with its code, in turn', () => {
    const talk = converse({ decide: () => 'later' });
    talk.calls('Heartbeat', {}, 'first');
    expect(talk.calls('Authorize', { idTag: 5 }, 'second')).toBeUndefined();
    talk.decides({ kind: 'noted' });
    expect(talk.sent.map((text) => JSON.parse(text).slice(0, 3))).toEqual([
      [3, 'first', expect.anything()],
      [4, 'second', 'TypeConstraintViolation'],
    ]);
  });

  test.each([
    '[2,"7","StopTransaction",{"transactionId":,"meterStop":1}]',
    '[2,"7","MeterValues",{"meterValue":[,{}]}]',
    '[2,"7","Heartbeat"]',
    '[2,"7","Heartbeat",[]]',
  ])('%s violates the format, and the next call is served', (text) => {
    const talk = converse();
    expect(talk.receives(text)).toEqual([expect.stringMatching(/^\[4,"7","FormationViolation","[^"]+",\{\}\]$/)]);
    expect(talk.exchanges).toMatchObject([
      { messageId: '7', requestText: text, fault: { code: 'FormationViolation' } },
    ]);
    expect(talk.calls('Heartbeat', {})).toBeDefined();
    expect(talk.closed).toEqual([]);
  });

  test.each(['', 'hello', '{"a":1}', '[2,null,"Heartbeat",{}]', '[9,"7",{}]', 'a\0b'])(
    '%j cannot be answered, is logged, and the next call is served',
    (text) => {
      const talk = converse();
      expect(talk.receives(text)).toEqual([]);
      expect(talk.exchanges).toMatchObject([{ replyText: null, fault: { code: 'Unreadable' } }]);
      expect(talk.exchanges[0]?.requestText).toBe(text.replace('\0', '\u2400'));
      expect(talk.calls('Heartbeat', {})).toBeDefined();
    },
  );

  test("padding around a call's JSON is skipped, and its NULs are logged as their picture", () => {
    const talk = converse();
    expect(talk.receives('\ufeff[2,"7","Heartbeat",{}]\0')).toHaveLength(1);
    expect(talk.exchanges).toMatchObject([
      { requestText: '\ufeff[2,"7","Heartbeat",{}]\u2400', messageId: '7', fault: null },
    ]);
    talk.commands(clearCache);
    talk.receives('[3,"c-1",{"status":"Accepted"}]\0');
    expect(talk.exchanges[1]?.replyText).toBe('[3,"c-1",{"status":"Accepted"}]\u2400');
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
  });

  test('an unusable value is a fault in the log of a call that is answered normally', () => {
    const talk = converse();
    const sampledValue = [{ value: '1,32' }, { value: '7200', measurand: 'Power.Active.Import' }];
    const reply = talk.calls('MeterValues', { connectorId: 1, meterValue: [{ timestamp, sampledValue }] });
    expect(reply?.[0]).toBe(3);
    expect(talk.events).toMatchObject([{ kind: 'readings-taken', readings: [{ powerW: 7_200 }] }]);
    expect(talk.exchanges).toMatchObject([{ fault: { code: 'UnusableValue', description: 'energy: "1,32"' } }]);
  });

  test('an id longer than the standard allows is echoed', () => {
    const id = 'x'.repeat(200);
    expect(converse().calls('Heartbeat', {}, id)?.[1]).toBe(id);
  });

  test('a call repeated before its answer is answered each time and handed over once', () => {
    const talk = converse({ decide: () => 'later' });
    const text = JSON.stringify([2, '7', 'StartTransaction', start]);
    for (let count = 0; count < 3; count += 1) talk.receives(text);
    talk.decides({ kind: 'charge-started', transactionNumber: 1001, authorization: 'accepted' });
    expect(talk.events).toHaveLength(1);
    expect(talk.exchanges).toHaveLength(3);
    expect(talk.sent).toEqual(
      Array.from({ length: 3 }, () => '[3,"7",{"transactionId":1001,"idTagInfo":{"status":"Accepted"}}]'),
    );
    expect(talk.state.inboxCount).toBe(0);
    expect(talk.state.inboxChars).toBe(0);
  });

  test('the same id with different content, or after the answer, is a new call', () => {
    const talk = converse();
    expect(talk.calls('Heartbeat', {}, '7')).toBeDefined();
    expect(talk.calls('Heartbeat', {}, '7')).toBeDefined();
    const slow = converse({ decide: () => 'later' });
    slow.calls('Heartbeat', {}, '7');
    slow.calls('Authorize', { idTag: 'X' }, '7');
    slow.decides({ kind: 'noted' });
    expect(kinds(slow.events)).toEqual(['heartbeat', 'authorization-requested']);
    expect(talk.events).toHaveLength(2);
  });
});

describe('stop', () => {
  test.each<[string, { transactionId?: unknown } & Record<string, unknown>]>([
    ['nothing', {}],
    ['a transaction that is text', { transactionId: 'x' }],
    ['a register that is a list', { transactionId: 1001, meterStop: [] }],
    ['no register', { transactionId: 1001, timestamp }],
    ['null as register', { transactionId: 1001, meterStop: null, timestamp }],
    ['text as register', { transactionId: 1001, meterStop: 'n/a', timestamp }],
    ['nothing readable', { reason: 5, timestamp: 5, idTag: {} }],
  ])('a stop with %s ends its charge without a register, with the fault in the log', (_what, payload) => {
    const talk = converse();
    expect(talk.calls('StopTransaction', payload)).toMatchObject([3, 's-1', {}]);
    expect(talk.events).toMatchObject([
      { kind: 'charge-stopped', transaction: payload.transactionId === 1001 ? 1001 : 0 },
    ]);
    expect(talk.events[0]).not.toHaveProperty('meterStopWh');
    expect(talk.exchanges).toMatchObject([{ fault: { code: 'UnusableValue' } }]);
  });

  test.each([0, -1, -16, 987654])('a stop of transaction %i is left to the business, and answered', (transactionId) => {
    const talk = converse();
    expect(talk.calls('StopTransaction', { ...stop, transactionId })).toEqual([3, expect.anything(), {}]);
    expect(talk.events).toMatchObject([{ kind: 'charge-stopped', transaction: transactionId }]);
  });
});

describe('a refused charge', () => {
  const refused = { kind: 'charge-started', transactionNumber: 1001, authorization: 'blocked' } as const;
  const refusing = () =>
    converse({ decide: (event) => (event.kind === 'charge-started' ? refused : agreeableBusiness(event)) });
  const charging = { connectorId: 1, errorCode: 'NoError', status: 'Charging' };
  const stopsOf = (talk: Conversation) => talk.sent.filter((text) => text.includes('RemoteStopTransaction')).length;
  /** The station goes on as if it had not been asked. */
  const goesOn = (talk: Conversation, ms: number) => {
    for (let passed = 0; passed < ms; passed += secondMs) {
      talk.wait(secondMs);
      talk.calls('StatusNotification', charging);
      if (outstandingCall(talk.state) !== null) talk.results({ status: 'Rejected' });
    }
  };

  test('a refused charge is asked to stop after its grace period, and again while it goes on, but not for ever', () => {
    const talk = refusing();
    expect(payloadOf(talk.calls('StartTransaction', start))).toEqual({
      transactionId: 1001,
      idTagInfo: { status: 'Blocked' },
    });
    talk.wait(refusedStartGraceMs - 1);
    expect(stopsOf(talk)).toBe(0);
    talk.wait(1);
    expect(talk.sent.at(-1)).toBe('[2,"c-1","RemoteStopTransaction",{"transactionId":1001}]');
    talk.results({ status: 'Accepted' });
    goesOn(talk, stopAskIntervalMs);
    expect(stopsOf(talk)).toBe(2);
    goesOn(talk, 2 * stopAsksMax * stopAskIntervalMs);
    expect(stopsOf(talk)).toBe(stopAsksMax);
    expect(talk.state.refused).toBeNull();
    expect(talk.settled).toEqual([]);
  });

  test.each<[string, (talk: Conversation) => unknown]>([
    ['its stop comes', (talk) => talk.calls('StopTransaction', stop)],
    ['its connector is free', (talk) => talk.calls('StatusNotification', available)],
    ['its connector is finishing', (talk) => talk.calls('StatusNotification', { ...available, status: 'Finishing' })],
  ])('a refused charge is not asked again when %s', (_what, ends) => {
    const talk = refusing();
    talk.calls('StartTransaction', start);
    talk.wait(refusedStartGraceMs);
    talk.results({ status: 'Accepted' });
    ends(talk);
    talk.wait(2 * stopAskIntervalMs);
    expect(stopsOf(talk)).toBe(1);
  });

  test('a refused charge is asked to stop although Preparing and Charging, or the stop of another charge, come after its refusal', () => {
    const talk = refusing();
    talk.calls('StartTransaction', start);
    talk.calls('StatusNotification', { ...available, status: 'Preparing' });
    talk.calls('StatusNotification', charging);
    talk.calls('StatusNotification', { ...available, connectorId: 2 });
    talk.calls('StopTransaction', { ...stop, transactionId: 900 });
    talk.wait(refusedStartGraceMs);
    expect(stopsOf(talk)).toBe(1);
  });

  test('a refused charge gives way to an allowed charge on the same connector', () => {
    let authorization: 'blocked' | 'accepted' = 'blocked';
    const talk = converse({
      decide: (event) => (event.kind === 'charge-started' ? { ...refused, authorization } : agreeableBusiness(event)),
    });
    talk.calls('StartTransaction', start);
    authorization = 'accepted';
    talk.calls('StartTransaction', { ...start, idTag: 'OTHER' });
    talk.wait(2 * stopAskIntervalMs);
    expect(stopsOf(talk)).toBe(0);
  });
});

describe('a charge that was refused over an earlier connection', () => {
  const refusedCharges = [
    { connectorNumber: 1, transaction: 1001 },
    { connectorNumber: 2, transaction: 1002 },
  ];
  const stopsOf = (talk: Conversation) => talk.sent.filter((text) => text.includes('RemoteStopTransaction'));

  test('a charge refused over an earlier connection is asked to stop once after a reconnect, whatever the station answers', () => {
    const talk = converse({ booted: false, wasAccepted: true, refusedCharges });
    talk.calls('Heartbeat', {});
    talk.wait(refusedStartGraceMs - 1);
    expect(stopsOf(talk)).toEqual([]);
    talk.wait(1);
    talk.results({ status: 'Rejected' });
    talk.results({ status: 'Accepted' });
    const stops = [1001, 1002].map((transactionId) => expect.stringContaining(JSON.stringify({ transactionId })));
    expect(stopsOf(talk)).toEqual(stops);
    talk.wait(2 * stopAskIntervalMs);
    expect(stopsOf(talk)).toHaveLength(2);
    expect(talk.settled).toEqual([]);
  });

  test('a charge refused over an earlier connection is not asked to stop after its stop or a free connector', () => {
    const talk = converse({ refusedCharges });
    talk.calls('StopTransaction', stop);
    talk.calls('StatusNotification', { ...available, connectorId: 2 });
    talk.wait(2 * stopAskIntervalMs);
    expect(stopsOf(talk)).toEqual([]);
  });
});

describe('what the business cannot take', () => {
  test('while nothing can be stored, a start or stop is not answered and the station keeps it', () => {
    for (const [action, payload] of [
      ['StartTransaction', start],
      ['StopTransaction', stop],
    ] as const) {
      const talk = converse({ decide: () => 'unavailable' });
      expect(talk.calls(action, payload)).toBeUndefined();
      expect(talk.exchanges).toMatchObject([{ action, replyText: null, fault: { code: 'Unavailable' } }]);
      expect(talk.closed).toEqual([{ code: 1013, reason: 'try again later' }]);
    }
  });

  test('while nothing can be stored, everything else is refused with InternalError', () => {
    const talk = converse({ decide: () => 'unavailable' });
    expect(talk.calls('MeterValues', meterValues)?.slice(0, 3)).toEqual([4, 's-1', 'InternalError']);
    expect(talk.calls('Authorize', { idTag: 'X' })?.slice(0, 3)).toEqual([4, 's-2', 'InternalError']);
    expect(talk.closed).toEqual([]);
  });

  test('a message that breaks the business is refused with InternalError, even a stop: the station keeps it and sends it again', () => {
    const talk = converse({ decide: () => 'failed' });
    expect(talk.calls('StartTransaction', start)?.slice(0, 3)).toEqual([4, 's-1', 'InternalError']);
    expect(talk.calls('StopTransaction', stop)?.slice(0, 3)).toEqual([4, 's-2', 'InternalError']);
    expect(talk.exchanges.map((exchange) => exchange.fault?.code)).toEqual(['InternalError', 'InternalError']);
    expect(talk.closed).toEqual([]);
  });

  test('an event that nobody decides is refused after the wait, and a late decision has no effect', () => {
    const talk = converse({ decide: () => 'later' });
    talk.calls('MeterValues', meterValues);
    expect(talk.wait(businessWaitMs - 1)).toEqual([]);
    expect(kinds(talk.wait(1))).toEqual(['exchange', 'send']);
    expect(talk.decides({ kind: 'noted' })).toEqual([]);
  });
});

describe('back-pressure', () => {
  test('the socket is paused at the limit and resumed when the business has caught up', () => {
    const talk = converse({ decide: () => 'later' });
    for (let count = 1; count < inboxPauseAt; count += 1) talk.calls('Heartbeat', {});
    expect(kinds(talk.effects)).not.toContain('pause');
    talk.calls('Heartbeat', {});
    expect(kinds(talk.effects).filter((kind) => kind === 'pause')).toHaveLength(1);
    while (talk.state.inboxCount > inboxResumeAt + 1) talk.decides({ kind: 'noted' });
    expect(kinds(talk.effects)).not.toContain('resume');
    expect(kinds(talk.decides({ kind: 'noted' }))).toContain('resume');
    while (talk.state.inboxCount > 0) talk.decides({ kind: 'noted' });
    expect(kinds(talk.effects).filter((kind) => kind === 'resume')).toHaveLength(1);
    expect(talk.sent).toHaveLength(inboxPauseAt);
  });

  test('a station beyond the hard limit is cut off, counting repetitions', () => {
    for (const id of [undefined, 'same']) {
      const talk = converse({ decide: () => 'later' });
      for (let count = 0; count < inboxMax; count += 1) talk.calls('Heartbeat', {}, id);
      expect(talk.closed).toEqual([]);
      talk.calls('Heartbeat', {}, id);
      expect(talk.closed).toEqual([{ code: 1008, reason: 'too many unanswered calls' }]);
      expect(talk.exchanges).toMatchObject([{ fault: { code: 'LimitReached' } }]);
      talk.calls('Heartbeat', {}, id);
      expect(talk.exchanges).toHaveLength(1);
    }
  });

  test('a closed connection is not resumed', () => {
    const talk = converse({ decide: () => 'later' });
    for (let count = 0; count < inboxPauseAt; count += 1) talk.calls('Heartbeat', {});
    talk.feed({ kind: 'closed' });
    expect(talk.exchanges).toHaveLength(inboxPauseAt);
    expect(kinds(talk.effects)).not.toContain('resume');
  });

  test('a few very long calls are too many as well', () => {
    const talk = converse({ decide: () => 'later' });
    const data = 'x'.repeat(1_000_000);
    for (let count = 0; count < 3; count += 1) talk.calls('DataTransfer', { vendorId: 'v', data: `${count}${data}` });
    expect(talk.closed).toMatchObject([{ code: 1008 }]);
  });
});

describe('commands', () => {
  test('one call is out at a time; the others wait in order', () => {
    const talk = converse();
    expect(talk.commands(clearCache, 'a')).toEqual([[2, 'c-1', 'ClearCache', {}]]);
    expect(talk.commands({ kind: 'reset', mode: 'soft' }, 'b')).toEqual([]);
    expect(talk.commands({ kind: 'unlock-connector', connectorNumber: 1 }, 'c')).toEqual([]);
    expect(kinds(talk.results({ status: 'Accepted' }))).toEqual(['exchange', 'command-settled', 'send']);
    talk.results({ status: 'Rejected' });
    talk.results({ status: 'UnlockFailed' });
    expect(talk.settled).toEqual([
      { ref: 'a', outcome: { kind: 'accepted' } },
      { ref: 'b', outcome: { kind: 'rejected' } },
      { ref: 'c', outcome: { kind: 'failed' } },
    ]);
  });

  test('the exchange of our call has both texts and the latency', () => {
    const talk = converse();
    talk.commands(clearCache);
    talk.wait(250);
    talk.results({ status: 'Accepted' });
    expect(talk.exchanges).toEqual([
      {
        direction: 'to-station',
        action: 'ClearCache',
        messageId: 'c-1',
        requestText: '[2,"c-1","ClearCache",{}]',
        requestedAt: conversationStart,
        replyText: '[3,"c-1",{"status":"Accepted"}]',
        latencyMs: 250,
        fault: null,
      },
    ]);
  });

  test('a queue beyond its limit is busy', () => {
    const talk = converse();
    for (let count = 0; count <= commandQueueMax; count += 1) talk.commands(clearCache, `c${count}`);
    expect(talk.settled).toEqual([]);
    talk.commands(clearCache, 'too many');
    expect(talk.settled).toEqual([{ ref: 'too many', outcome: { kind: 'busy' } }]);
  });

  test('a command that cannot be sent fails', () => {
    const talk = converse();
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: 'x'.repeat(21) });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'failed' } }]);
    expect(talk.sent).toEqual([]);
  });

  test('a call without an answer times out, the next is sent, and a late result is logged and ignored', () => {
    const talk = converse();
    talk.commands(clearCache, 'a');
    talk.commands({ kind: 'reset', mode: 'hard' }, 'b');
    expect(talk.wait(callTimeoutMs - 1)).toEqual([]);
    expect(kinds(talk.wait(1))).toEqual(['exchange', 'command-settled', 'send']);
    expect(talk.settled).toEqual([{ ref: 'a', outcome: { kind: 'timed-out' } }]);
    expect(talk.exchanges).toMatchObject([{ replyText: null, latencyMs: null, fault: { code: 'TimedOut' } }]);
    const late = talk.feed({ kind: 'received', frame: '[3,"c-1",{"status":"Accepted"}]' });
    expect(late).toMatchObject([
      { kind: 'exchange', exchange: { direction: 'from-station', action: null, fault: { code: 'UnknownReply' } } },
    ]);
    talk.results({ status: 'Accepted' });
    expect(talk.settled[1]).toEqual({ ref: 'b', outcome: { kind: 'accepted' } });
  });

  test('a command that never gets its turn times out', () => {
    const talk = converse();
    talk.commands(clearCache, 'a');
    for (let count = 0; count < 3; count += 1) talk.commands({ kind: 'reset', mode: 'soft' }, `waiting ${count}`);
    talk.wait(commandWaitMs);
    expect(talk.settled.map(({ ref, outcome }) => [ref, outcome.kind])).toEqual([
      ['a', 'timed-out'],
      ['waiting 0', 'timed-out'],
      ['waiting 1', 'timed-out'],
      ['waiting 2', 'timed-out'],
    ]);
  });

  test('calls of the station are served while ours is out, and ids are matched by direction', () => {
    const talk = converse();
    talk.commands(clearCache);
    expect(talk.calls('Heartbeat', {}, 'c-1')).toEqual([3, 'c-1', { currentTime: expect.any(String) }]);
    expect(talk.settled).toEqual([]);
    talk.results({ status: 'Accepted' });
    expect(talk.settled).toHaveLength(1);
  });

  test.each([
    ['NotImplemented', 'no such thing'],
    ['OccurrenceConstraintViolation', ''],
    ['FormatViolation', ''],
    ['VendorSpecific', 'x'],
  ])('a refusal with %s is passed on as the station spells it', (code, description) => {
    const talk = converse();
    talk.commands(clearCache);
    talk.errors(code, description);
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'station-error', code, description } }]);
    expect(talk.exchanges).toMatchObject([{ fault: { code, description } }]);
  });

  test('details of a refusal are passed on if there are any', () => {
    const talk = converse();
    talk.commands(clearCache);
    talk.errors('GenericError', 'x', { a: 1 });
    expect(talk.settled[0]?.outcome).toEqual({
      kind: 'station-error',
      code: 'GenericError',
      description: 'x',
      details: { a: 1 },
    });
  });

  test('a refusal is passed on without the characters that no database text holds, in any of its parts', () => {
    const talk = converse();
    talk.commands(clearCache);
    talk.errors('Generic\u0000Error', 'caf\u0000e\ud800', { 'a\u0000': ['\udc00', { b: 'c\u0000', d: 1 }, null] });
    expect(talk.settled[0]?.outcome).toEqual({
      kind: 'station-error',
      code: 'GenericError',
      description: 'cafe\ufffd',
      details: { a: ['\ufffd', { b: 'c', d: 1 }, null] },
    });
  });

  test('a broken reply settles the command at once', () => {
    const talk = converse();
    talk.commands(clearCache);
    talk.receives('[3,"c-1",{"status":');
    expect(talk.settled[0]?.outcome).toMatchObject({ kind: 'station-error', code: 'FormationViolation' });
    expect(talk.exchanges).toMatchObject([{ direction: 'to-station', replyText: '[3,"c-1",{"status":' }]);
  });

  test('a raw call is sent as given and its answer is returned as received', () => {
    const talk = converse();
    expect(
      talk.commands({ kind: 'raw', action: 'GetDiagnostics', payload: { location: 'ftp://x', extra: [1] } }),
    ).toEqual([[2, 'c-1', 'GetDiagnostics', { location: 'ftp://x', extra: [1] }]]);
    talk.results({ fileName: 'log.zip', odd: null });
    expect(talk.settled[0]?.outcome).toEqual({ kind: 'raw', payload: { fileName: 'log.zip', odd: null } });
  });

  test('a closed connection settles calls that are out or waiting, and answers nothing later', () => {
    const talk = converse({ decide: () => 'later' });
    talk.calls('Heartbeat', {}, 'a');
    talk.calls('Heartbeat', {}, 'b');
    talk.feed({ kind: 'closed' });
    expect(talk.exchanges.map(({ messageId, fault }) => [messageId, fault?.code])).toEqual([
      ['a', 'ConnectionClosed'],
      ['b', 'ConnectionClosed'],
    ]);
    expect(talk.decides({ kind: 'noted' })).toEqual([]);
    expect(talk.feed({ kind: 'closed' })).toEqual([]);
    expect(talk.receives('[2,"c","Heartbeat",{}]')).toEqual([]);

    const commanding = converse();
    commanding.commands(clearCache, 'out');
    commanding.commands(clearCache, 'waiting');
    commanding.feed({ kind: 'closed' });
    commanding.commands(clearCache, 'after');
    expect(commanding.settled.map(({ ref, outcome }) => [ref, outcome.kind])).toEqual([
      ['out', 'offline'],
      ['waiting', 'offline'],
      ['after', 'offline'],
    ]);
    expect(commanding.exchanges).toMatchObject([{ direction: 'to-station', fault: { code: 'ConnectionClosed' } }]);
  });
});

describe('the password of a station', () => {
  test.each<StationCommand>([
    { kind: 'write-configuration', key: 'authorizationKey', value: 'top-secret-20-bytes!' },
    { kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: 'top-secret-20-bytes!' } },
  ])("a station's password is sent by $kind and never logged", (command) => {
    const talk = converse();
    talk.commands(command);
    expect(talk.sent[0]).toContain('top-secret-20-bytes!');
    talk.results({ status: 'Accepted' });
    expect(JSON.stringify(talk.exchanges)).not.toContain('top-secret');
    expect(talk.exchanges[0]?.requestText).toMatch(/^\[2,"c-1","ChangeConfiguration",.*"\*\*\*"\}\]$/);
  });

  test.each([
    ['ftp://backup:top-secret@files.example/logs', 'ftp://***@files.example/logs'],
    ['FTP://backup:top-secret@files.example:2121', 'FTP://***@files.example:2121'],
    ['ftps://backup:top/top-secret#1@files.example/logs', 'ftps://***@files.example/logs'],
    ['https://token-top-secret@files.example/a@b', 'https://***@files.example/a@b'],
    ['https://files.example:8443/firmware@2.bin', 'https://files.example:8443/firmware@2.bin'],
  ])("a file server's password is sent and never logged: %s", (location, logged) => {
    for (const action of ['GetDiagnostics', 'UpdateFirmware']) {
      const talk = converse();
      talk.commands({ kind: 'raw', action, payload: { location } });
      expect(JSON.parse(talk.sent[0] ?? '')[3]).toEqual({ location });
      talk.results({});
      expect(JSON.parse(talk.exchanges[0]?.requestText ?? '')[3]).toEqual({ location: logged });
      expect(JSON.stringify(talk.exchanges)).not.toContain('top-secret');
    }
  });

  test('a password is masked where a station reports it', () => {
    const text = '{"configurationKey":[{"key":"AuthorizationKey","readonly":false,"value":"top-secret"}]}';
    for (const command of [
      { kind: 'read-configuration', keys: [] },
      { kind: 'raw', action: 'GetConfiguration', payload: {} },
    ] as const) {
      const talk = converse();
      talk.commands(command);
      talk.receives(`[3,"c-1",${text}]`);
      expect(talk.settled).toHaveLength(1);
      talk.receives(`[3,"late",${text}]`);
      talk.receives(`[3,"broken",${text.slice(0, -1)}]`);
      expect(talk.exchanges).toHaveLength(3);
      expect(JSON.stringify(talk.effects)).not.toContain('top-secret');
    }
  });
});

describe('boot', () => {
  test('commands wait for the boot and are sent after its answer', () => {
    const talk = converse({ booted: false });
    expect(talk.commands(clearCache)).toEqual([]);
    talk.calls('BootNotification', boot);
    expect(talk.sent.map((text) => JSON.parse(text)[2])).toEqual([
      { status: 'Accepted', currentTime: '2026-11-21T08:00:00.000Z', interval: 300 },
      'ClearCache',
    ]);
  });

  test('no command is sent while a boot waits for its answer, even on a running connection', () => {
    let decision: 'later' | undefined = undefined as 'later' | undefined;
    const talk = converse({ decide: (event) => decision ?? agreeableBusiness(event) });
    decision = 'later';
    talk.calls('BootNotification', boot);
    expect(talk.commands(clearCache)).toEqual([]);
    expect(kinds(talk.decides({ kind: 'boot', decision: 'accepted', heartbeatSeconds: 60 }))).toEqual([
      'exchange',
      'send',
      'send',
    ]);
  });

  test('a station that reconnects without boot is served, asked for one after the wait, and then gets commands', () => {
    const talk = converse({ booted: false });
    talk.commands(clearCache);
    expect(talk.calls('MeterValues', meterValues)?.[0]).toBe(3);
    expect(talk.calls('StartTransaction', start)?.[0]).toBe(3);
    talk.wait(bootWaitMs - 1);
    expect(talk.sent).toHaveLength(2);
    talk.wait(1);
    expect(talk.sent[2]).toBe('[2,"c-1","TriggerMessage",{"requestedMessage":"BootNotification"}]');
    expect(kinds(talk.results({ status: 'NotImplemented' }))).toEqual(['exchange', 'send']);
    expect(talk.sent[3]).toContain('ClearCache');
  });

  test('a previously accepted station gets commands at most two seconds after connecting, without a boot', () => {
    const sweepMs = secondMs;
    const talk = converse({ booted: false, wasAccepted: true });
    expect(talk.commands(clearCache)).toEqual([]);
    talk.wait(reconnectWaitMs);
    expect(talk.sent).toEqual(['[2,"c-1","ClearCache",{}]']);
    expect(reconnectWaitMs + sweepMs).toBeLessThanOrEqual(2 * secondMs);
  });

  test.each([
    ['StatusNotification', available],
    ['Heartbeat', {}],
    ['MeterValues', meterValues],
    ['Authorize', { idTag: 'CARD' }],
  ])('%s of a previously accepted station ends the wait at once', (action, payload) => {
    const talk = converse({ booted: false, wasAccepted: true });
    talk.commands(clearCache);
    expect(talk.calls(action, payload)?.[0]).toBe(3);
    expect(talk.sent).toContain('[2,"c-1","ClearCache",{}]');
  });

  test('a previously accepted station that boots gets commands after the answer to its boot', () => {
    const talk = converse({ booted: false, wasAccepted: true, decide: () => 'later' });
    talk.commands(clearCache);
    talk.calls('BootNotification', boot);
    talk.wait(10 * secondMs);
    expect(talk.sent).toEqual([]);
    talk.decides({ kind: 'boot', decision: 'accepted', heartbeatSeconds: 300 });
    expect(talk.sent.map((text) => text.slice(0, 2))).toEqual(['[3', '[2']);
  });

  test('a station that was never accepted is asked to boot, whatever it sends', () => {
    const talk = converse({ booted: false, wasAccepted: false });
    talk.commands(clearCache);
    talk.calls('Heartbeat', {});
    talk.wait(bootWaitMs - 1);
    expect(talk.sent).toHaveLength(1);
    talk.wait(1);
    expect(talk.sent[1]).toContain('TriggerMessage');
  });

  test('a call waits until earlier answers have been sent, above all the one to a boot', () => {
    const talk = converse({ booted: false, slow: true });
    talk.commands(clearCache);
    talk.calls('BootNotification', boot);
    talk.calls('Heartbeat', {});
    expect(talk.sent.map((text) => text.slice(0, 2))).toEqual(['[3', '[3']);
    expect(talk.sends()).toEqual([]);
    expect(talk.sends()).toEqual([{ kind: 'send', frame: '[2,"c-1","ClearCache",{}]', isAnswer: false }]);
  });

  test("a call's timeout starts when it is sent", () => {
    const talk = converse({ slow: true });
    talk.calls('Heartbeat', {});
    talk.commands(clearCache);
    talk.wait(callTimeoutMs);
    talk.sends();
    talk.wait(callTimeoutMs - 1);
    expect(talk.settled).toEqual([]);
  });

  test('the request for a boot does not overtake an answer', () => {
    const talk = converse({ booted: false, slow: true });
    talk.calls('Heartbeat', {});
    talk.wait(bootWaitMs);
    expect(talk.sent).toHaveLength(1);
    talk.sends();
    talk.wait(secondMs);
    expect(talk.sent[1]).toContain('TriggerMessage');
  });

  test('a station that agrees to boot gets time to do so before commands are sent', () => {
    const talk = converse({ booted: false });
    talk.wait(bootWaitMs);
    talk.results({ status: 'Accepted' });
    expect(talk.commands(clearCache)).toEqual([]);
    expect(kinds(talk.wait(promisedBootWaitMs))).toEqual(['send']);

    const prompt = converse({ booted: false });
    prompt.commands(clearCache);
    prompt.wait(bootWaitMs);
    prompt.results({ status: 'Accepted' });
    expect(prompt.calls('BootNotification', boot)).toBeDefined();
    expect(prompt.sent.at(-1)).toContain('ClearCache');
  });

  test('a station that does not answer the request for a boot is assumed to be accepted', () => {
    const talk = converse({ booted: false });
    talk.wait(bootWaitMs);
    talk.commands(clearCache);
    expect(kinds(talk.wait(callTimeoutMs))).toEqual(['exchange', 'send']);
    expect(talk.settled).toEqual([]);
  });

  test('no boot is requested while one is being answered', () => {
    const talk = converse({ booted: false, decide: () => 'later' });
    talk.calls('BootNotification', boot);
    talk.wait(2 * bootWaitMs);
    expect(talk.sent).toEqual([]);
  });

  test('while pending, a station may send what was triggered and gets any call but a remote start or stop', () => {
    const talk = converse({ booted: false, decide: () => 'later' });
    talk.commands(remoteStart, 'early');
    talk.calls('BootNotification', boot);
    talk.decides({ kind: 'boot', decision: 'pending', heartbeatSeconds: 30 });
    talk.commands(remoteStart, 'start');
    talk.commands({ kind: 'stop-charge', transaction: 1 }, 'stop');
    talk.commands({ kind: 'raw', action: 'RemoteStartTransaction', payload: { idTag: 'X' } }, 'raw');
    expect(talk.settled).toEqual(
      ['early', 'start', 'stop', 'raw'].map((ref) => ({ ref, outcome: { kind: 'rejected' } })),
    );
    expect(talk.commands({ kind: 'read-configuration', keys: [] })).toHaveLength(1);
    for (const [action, payload] of [
      ['Authorize', { idTag: 'X' }],
      ['StartTransaction', start],
      ['DataTransfer', { vendorId: 'v' }],
    ] as const) {
      expect(talk.calls(action, payload)?.[2]).toBe('SecurityError');
    }
    talk.calls('StatusNotification', available);
    expect(talk.events.at(-1)?.kind).toBe('connector-state-changed');
  });

  test('while rejected, only the next boot and the end of a charge are allowed, and no calls are made', () => {
    const decisions = ['rejected', 'accepted'] as const;
    let boots = 0;
    const talk = converse({
      booted: false,
      decide: (event) => {
        if (event.kind !== 'booted') return agreeableBusiness(event);
        boots += 1;
        return { kind: 'boot', decision: decisions[boots - 1] ?? 'accepted', heartbeatSeconds: 30 };
      },
    });
    talk.commands(clearCache, 'early');
    expect(payloadOf(talk.calls('BootNotification', boot)).status).toBe('Rejected');
    talk.commands(clearCache, 'late');
    expect(talk.settled.map(({ ref, outcome }) => [ref, outcome.kind])).toEqual([
      ['early', 'rejected'],
      ['late', 'rejected'],
    ]);
    for (const [action, payload] of [
      ['Heartbeat', {}],
      ['StatusNotification', available],
      ['StartTransaction', start],
    ] as const) {
      expect(talk.calls(action, payload)?.[2]).toBe('SecurityError');
    }
    expect(talk.calls('StopTransaction', stop)?.[0]).toBe(3);
    expect(payloadOf(talk.calls('BootNotification', boot)).status).toBe('Accepted');
    expect(talk.calls('Heartbeat', {})?.[0]).toBe(3);
    expect(talk.commands(clearCache)).toHaveLength(1);
  });
});

describe('signs of life', () => {
  test('a station is dead after two and a half heartbeats without a frame, and is cut off', () => {
    const talk = converse({ heartbeatSeconds: 300 });
    talk.wait(750 * secondMs - 1);
    expect(isDead(talk.state, talk.now)).toBe(false);
    talk.wait(1);
    expect(isDead(talk.state, talk.now)).toBe(true);
    expect(talk.closed).toEqual([{ code: 1001, reason: 'no sign of life' }]);
  });

  test('any frame and any pong is a sign of life, even a broken one', () => {
    for (const input of [
      { kind: 'pong' },
      { kind: 'received', frame: 'broken' },
      { kind: 'received', frame: '[3,"x",{}]' },
    ] as const) {
      const talk = converse();
      const before = deadAt(talk.state);
      talk.wait(100 * secondMs);
      talk.feed(input);
      expect(deadAt(talk.state) - before).toBe(100 * secondMs);
    }
  });

  test('a station that has answered a ping is dead when it leaves the next ones unanswered', () => {
    const talk = converse({ heartbeatSeconds: 300 });
    const ping = () => {
      talk.wait(60 * secondMs);
      talk.feed({ kind: 'pinged' });
    };
    ping();
    talk.feed({ kind: 'pong' });
    for (let pings = 1; pings < unansweredPingsMax; pings += 1) ping();
    talk.wait(59 * secondMs);
    expect(talk.closed).toEqual([]);
    talk.wait(secondMs);
    talk.feed({ kind: 'pinged' });
    talk.wait(pongWaitMs - 1);
    expect(talk.closed).toEqual([]);
    talk.wait(1);
    expect(talk.closed).toEqual([{ code: 1001, reason: 'no sign of life' }]);
  });

  test('a station that answers no pings lives by its heartbeats, and is dead soon after one of them is missing', () => {
    const talk = converse({ heartbeatSeconds: 300 });
    const pings = (count: number) => {
      for (let pinged = 0; pinged < count; pinged += 1) {
        talk.wait(60 * secondMs);
        talk.feed({ kind: 'pinged' });
      }
    };
    pings(5);
    talk.calls('Heartbeat', {});
    pings(5);
    talk.wait(lateHeartbeatMs - 1);
    expect(talk.closed).toEqual([]);
    talk.wait(1);
    expect(talk.closed).toHaveLength(1);
  });

  test('short heartbeats do not shorten the minimum silence, and the boot sets the interval', () => {
    const talk = converse({ heartbeatSeconds: 5 });
    expect(deadAt(talk.state) - talk.now).toBe(750 * secondMs);
    const hasty = converse({ heartbeatSeconds: 5, booted: false });
    expect(deadAt(hasty.state) - hasty.now).toBe(silenceMinMs);
  });

  test('the state has the time of the next tick', () => {
    const talk = converse();
    expect(talk.state.nextWakeAt).toBe(deadAt(talk.state));
    talk.commands(clearCache);
    expect(talk.state.nextWakeAt).toBe(talk.now + callTimeoutMs);
    talk.feed({ kind: 'closed' });
    expect(talk.state.nextWakeAt).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('a tick that is not due changes nothing', () => {
    const talk = converse({ booted: false });
    expect(talk.feed({ kind: 'tick' })).toEqual([]);
  });
});

test('a prefix that leaves no room for the counter throws', () => {
  for (const callIdPrefix of ['', 'x'.repeat(25)]) {
    expect(() =>
      openConnection(
        { callIdPrefix, heartbeatSeconds: 300, wasAccepted: false, refusedCharges: [] },
        conversationStart,
      ),
    ).toThrow(RangeError);
  }
});
