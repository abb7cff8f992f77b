import type { StationCommand } from '@voltdeck/charging/station-command';
import type { StationEvent } from '@voltdeck/charging/station-event';
import { commandQueueMax, commandWaitMs } from '@voltdeck/connection/calls';
import { inboxMax, inboxPauseAt, inboxResumeAt } from '@voltdeck/connection/inbox';
import { businessWaitMs } from '@voltdeck/connection/machine';
import { stopAskIntervalMs, stopAsksMax } from '@voltdeck/connection/refused-charges';
import { dayMs, secondMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import {
  clockIntervalMs,
  deadAt,
  heartbeatMs,
  isDead,
  loginSettleMs,
  openConnection,
  silenceHeartbeats,
} from './connection.ts';
import { crc16 } from './crc.ts';
import { writeRawFrame } from './frame.ts';
import { fromHex, toHex } from './hex.ts';
import type { MessageOf } from './messages/all.ts';
import {
  agreeableBusiness,
  type Conversation,
  conversationStart,
  converse,
  type Decision,
  pileFrame,
  testPileNo,
  testTradeNo,
} from './test-conversation.ts';
import { callTimeoutMs, firmwareIdleWaitMs, firmwareInstallMs } from './translate-commands.ts';

const otherTradeNo = testTradeNo.replace(/7$/, '8');
const charging: Partial<MessageOf<'realtime-data'>> = { tradeNo: testTradeNo, state: 3, plugged: 1, energy: 12_340 };
const finished = { tradeNo: testTradeNo, totalEnergy: 12_340, stopReason: 0x45 };
const swipe = { startMode: 1, account: '00000000AABBCCDD' };
const remoteStart = {
  kind: 'start-charge',
  connectorNumber: 1,
  cardNumber: '6230001',
  transaction: testTradeNo,
  availableFen: fen(5_000),
} as const satisfies StationCommand;
const remoteStop = { kind: 'stop-charge', transaction: testTradeNo } as const satisfies StationCommand;

/** A record cut off in the middle. */
const shortRecord = (over: Partial<MessageOf<'transaction-record'>> = {}) =>
  writeRawFrame(0x3b, pileFrame('transaction-record', { pileNo: testPileNo, ...finished, ...over }).slice(6, 100), 5);
const kinds = (all: readonly { kind: string }[]) => all.map(({ kind }) => kind);
const faults = (talk: Conversation) => talk.exchanges.map(({ fault }) => fault?.code ?? null);
const decideBy =
  (decisions: Partial<Record<StationEvent['kind'], Decision>>) =>
  (event: StationEvent): Decision =>
    decisions[event.kind] ?? agreeableBusiness(event);

describe('login', () => {
  test('login 0x01 becomes a boot and is answered with 0x02 and the same sequence', () => {
    const talk = converse({ loggedIn: false });
    const effects = talk.feed({
      kind: 'received',
      frame: pileFrame('login', { pileNo: testPileNo, protoVersion: 16, gunCount: 2, softwareVersion: 'V4.1' }, 0x1234),
    });
    expect(kinds(effects)).toEqual(['event', 'exchange', 'send']);
    expect(talk.events).toEqual([
      {
        kind: 'booted',
        identity: { model: 'DC', protocolVersion: '1.6', connectorCount: 2, firmwareVersion: 'V4.1' },
      },
    ]);
    expect(talk.exchanges).toMatchObject([
      { action: '0x01', messageId: '3412', direction: 'from-station', fault: null },
    ]);
    expect(talk.exchanges[0]?.replyText?.slice(0, 12)).toBe('680C34120002');
    expect(talk.sent).toEqual([{ kind: 'login-answer', pileNo: testPileNo, result: 0 }]);
  });

  test("the pile's clock is set after the login is answered, and again every day", () => {
    const talk = converse({ loggedIn: false });
    talk.says('login');
    expect(talk.sent).toHaveLength(1);
    talk.wait(loginSettleMs);
    expect(talk.sent[1]).toEqual({ kind: 'clock-set', pileNo: testPileNo, time: conversationStart + loginSettleMs });
    talk.says('clock-set-reply', { time: conversationStart });
    expect(talk.exchanges.at(-1)).toMatchObject({
      action: '0x56',
      messageId: '0000',
      direction: 'to-station',
      fault: null,
    });
    for (let passed = 0; passed < clockIntervalMs; passed += heartbeatMs) {
      talk.says('heartbeat');
      talk.wait(heartbeatMs);
    }
    expect(talk.sent.filter(({ kind }) => kind === 'clock-set')).toHaveLength(2);
    expect(clockIntervalMs).toBe(dayMs);
  });

  test('no calls are sent before the answer to the login has had time to arrive', () => {
    const talk = converse({ loggedIn: false, slow: true });
    talk.commands(remoteStart);
    talk.says('login');
    talk.wait(10 * loginSettleMs);
    expect(kinds(talk.sent)).toEqual(['login-answer']);
    talk.sends();
    talk.wait(loginSettleMs - 1);
    expect(kinds(talk.sent)).toEqual(['login-answer']);
    talk.wait(1);
    expect(kinds(talk.sent)).toEqual(['login-answer', 'remote-start', 'clock-set']);
  });

  test('a call of ours waits until earlier answers have been sent', () => {
    const talk = converse({ slow: true });
    talk.says('heartbeat');
    expect(talk.commands(remoteStart)).toEqual([]);
    expect(talk.sends()).toMatchObject([{ kind: 'send', isAnswer: false }]);
    expect(kinds(talk.sent)).toEqual(['heartbeat-answer', 'remote-start']);
  });

  test('a refused login is answered with a failure, and the line is closed', () => {
    const talk = converse({
      loggedIn: false,
      decide: () => ({ kind: 'boot', decision: 'rejected', heartbeatSeconds: 10 }),
    });
    expect(talk.says('login')).toEqual([{ kind: 'login-answer', pileNo: testPileNo, result: 1 }]);
    expect(talk.closed).toEqual([{ code: 1008, reason: 'login refused' }]);
  });

  test('a login that could not be stored stays unanswered, and the pile comes again', () => {
    const talk = converse({ loggedIn: false, decide: () => 'unavailable' });
    expect(talk.says('login')).toEqual([]);
    expect(talk.closed).toEqual([{ code: 1013, reason: 'try again later' }]);
    expect(faults(talk)).toEqual(['Unavailable']);
  });

  test('frames before the login are logged, without effect or answer', () => {
    const talk = converse({ loggedIn: false });
    expect(talk.says('heartbeat')).toEqual([]);
    expect(talk.says('transaction-record', finished)).toEqual([]);
    expect(talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 1 })).toEqual([]);
    expect(talk.events).toEqual([]);
    expect(faults(talk)).toEqual(['NotLoggedIn', 'NotLoggedIn', 'UnknownReply']);
    expect(talk.says('login')).toHaveLength(1);
  });

  test("frames during the login's decision wait for it", () => {
    const talk = converse({ loggedIn: false, decide: decideBy({ booted: 'later' }) });
    talk.says('login');
    talk.says('transaction-record', finished);
    expect(kinds(talk.events)).toEqual(['booted']);
    talk.decides({ kind: 'boot', decision: 'accepted', heartbeatSeconds: 10 });
    expect(kinds(talk.sent)).toEqual(['login-answer', 'transaction-record-confirm']);
  });

  test('a second login is a reboot: states are reported afresh, commands wait', () => {
    const talk = converse();
    talk.says('realtime-data', { state: 2 });
    talk.says('realtime-data', { state: 2 });
    expect(talk.events).toHaveLength(1);
    talk.says('login');
    expect(talk.commands(remoteStart)).toEqual([]);
    talk.says('realtime-data', { state: 2 });
    expect(kinds(talk.events)).toEqual(['connector-state-changed', 'booted', 'connector-state-changed']);
    talk.wait(loginSettleMs);
    expect(kinds(talk.sent)).toEqual(['login-answer', 'clock-set', 'remote-start']);
  });

  test("during a login's decision no calls are sent, and repeated logins set the clock once", () => {
    const talk = converse({ decide: decideBy({ booted: 'later' }) });
    talk.says('login');
    expect(talk.commands(remoteStop)).toEqual([]);
    for (let count = 0; count < 3; count += 1) {
      talk.decides({ kind: 'boot', decision: 'accepted', heartbeatSeconds: 10 });
      talk.says('login');
    }
    talk.decides({ kind: 'boot', decision: 'accepted', heartbeatSeconds: 10 });
    talk.wait(loginSettleMs);
    expect(kinds(talk.sent).filter((kind) => kind !== 'login-answer')).toEqual(['remote-stop', 'clock-set']);
    talk.says('clock-set-reply');
    expect(kinds(talk.sent).filter((kind) => kind === 'clock-set')).toHaveLength(1);
  });

  test('commands before the login wait for it, but not for ever', () => {
    const talk = converse({ loggedIn: false });
    talk.commands(remoteStart, 'early');
    talk.wait(secondMs);
    expect(talk.sent).toEqual([]);
    talk.says('login');
    talk.wait(loginSettleMs);
    expect(kinds(talk.sent)).toContain('remote-start');
    const silent = converse({ loggedIn: false });
    silent.commands(remoteStart, 'early');
    for (let passed = 0; passed < commandWaitMs; passed += heartbeatMs) {
      silent.says('heartbeat');
      silent.wait(heartbeatMs);
    }
    expect(silent.settled).toEqual([{ ref: 'early', outcome: { kind: 'timed-out' } }]);
  });

  test('a pile number has 14 digits', () => {
    expect(() => openConnection({ pileNo: '1234' }, conversationStart)).toThrow(RangeError);
  });
});

describe('rule 1: heartbeats', () => {
  test('rule 1: heartbeats of every gun port are answered', () => {
    const talk = converse();
    expect(talk.says('heartbeat', { gunNo: 2, gunState: 1 })).toEqual([
      { kind: 'heartbeat-answer', pileNo: testPileNo, gunNo: 2, answer: 0 },
    ]);
    expect(talk.events).toEqual([{ kind: 'heartbeat' }]);
  });

  test('three and a half missing heartbeats make a dead line, and any frame is a sign of life', () => {
    const talk = converse();
    const limitMs = silenceHeartbeats * heartbeatMs;
    talk.says('heartbeat');
    talk.wait(limitMs - 1);
    expect(talk.closed).toEqual([]);
    talk.receives(Uint8Array.of(1, 2, 3));
    talk.wait(limitMs - 1);
    expect(isDead(talk.state, talk.now)).toBe(false);
    talk.wait(1);
    expect(talk.closed).toEqual([{ code: 1001, reason: 'no sign of life' }]);
    expect(limitMs).toBeGreaterThan(3 * heartbeatMs);
    expect(deadAt(talk.state)).toBe(talk.now);
  });
});

describe('rules 2 to 4: remote start', () => {
  test('rule 2: a start that the pile agrees to is accepted', () => {
    const talk = converse();
    expect(talk.commands(remoteStart)).toEqual([
      {
        kind: 'remote-start',
        tradeNo: testTradeNo,
        pileNo: testPileNo,
        gunNo: 1,
        logicCardNo: '0000000006230001',
        physCardNo: '0'.repeat(16),
        balance: 5_000,
      },
    ]);
    talk.wait(70);
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 1 });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
    expect(talk.exchanges).toMatchObject([
      { direction: 'to-station', action: '0x34', messageId: '0100', latencyMs: 70, fault: null },
    ]);
  });

  test('rule 3: not plugged in is a scheduled start, and a second reply to it is not a fault', () => {
    const talk = converse();
    talk.commands(remoteStart);
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 0, failReason: 5 });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'scheduled' } }]);
    talk.wait(9 * secondMs);
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 1 });
    expect(talk.settled).toHaveLength(1);
    expect(talk.exchanges.at(-1)).toMatchObject({ action: '0x33', direction: 'from-station', fault: null });
    talk.says('remote-start-reply', { tradeNo: otherTradeNo, result: 1 });
    expect(faults(talk).at(-1)).toBe('UnknownReply');
  });

  test.each([
    [1, 'wrong_station'],
    [2, 'already_charging'],
    [3, 'fault'],
    [4, 'offline'],
    [77, 'other'],
  ])('rule 4: a start that failed for reason %i is rejected: %s', (failReason, reason) => {
    const talk = converse();
    talk.commands(remoteStart);
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 0, failReason });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'rejected', reason } }]);
  });

  test('rule 4: a start without a reply times out, and a late one has no effect', () => {
    const talk = converse();
    talk.commands(remoteStart);
    talk.wait(callTimeoutMs - 1);
    talk.says('heartbeat');
    expect(talk.settled).toEqual([]);
    talk.wait(1);
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'timed-out' } }]);
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 1 });
    expect(faults(talk)).toEqual([null, 'TimedOut', 'UnknownReply']);
  });

  test('a start without a name for the charge cannot be sent', () => {
    const talk = converse();
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: '1' });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'not-supported' } }]);
  });
});

describe('rule 5: remote stop', () => {
  test('rule 5: the gun port of the transaction is stopped, whoever started it', () => {
    const talk = converse();
    expect(talk.commands(remoteStop)).toEqual([{ kind: 'remote-stop', pileNo: testPileNo, gunNo: 1 }]);
    talk.says('remote-stop-reply', { gunNo: 2, result: 1 });
    expect(talk.settled).toEqual([]);
    talk.says('remote-stop-reply', { gunNo: 1, result: 1 });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
  });

  test.each([
    [1, 'wrong_station'],
    [2, 'not_charging'],
    [3, 'other'],
  ])('a stop that failed for reason %i is rejected: %s', (failReason, reason) => {
    const talk = converse();
    talk.commands({ ...remoteStop, connectorNumber: 2 });
    talk.says('remote-stop-reply', { gunNo: 2, result: 0, failReason });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'rejected', reason } }]);
  });
});

describe('live data', () => {
  test('live data report the start of a charge once, readings every time, states when they change', () => {
    const talk = converse();
    talk.says('realtime-data', charging);
    talk.says('realtime-data', charging);
    expect(kinds(talk.events)).toEqual([
      'charge-started',
      'readings-taken',
      'connector-state-changed',
      'readings-taken',
    ]);
    expect(talk.sent).toEqual([]);
    expect(talk.exchanges).toMatchObject([{ action: '0x13', replyText: null, fault: null }, { action: '0x13' }]);
  });

  test('live data after a reconnect report the same charge again, with the same key', () => {
    const [first, second] = [converse(), converse()];
    first.says('realtime-data', charging);
    second.says('realtime-data', { ...charging, energy: 99_999 });
    expect(second.events[0]).toEqual(first.events[0]);
    expect(first.events[0]).toEqual({
      kind: 'charge-started',
      connectorNumber: 1,
      transaction: testTradeNo,
      meterStartWh: 0,
      stationTime: testTradeNo,
    });
  });

  describe('a refused charge', () => {
    const refusing = () =>
      converse({
        decide: decideBy({
          'charge-started': { kind: 'charge-started', transactionNumber: 0, authorization: 'blocked' },
        }),
      });
    const stopsOf = (talk: Conversation) => talk.sent.filter(({ kind }) => kind === 'remote-stop').length;
    /** The pile goes on as if it had not been asked. */
    const goesOn = (talk: Conversation, ms: number) => {
      for (let passed = 0; passed < ms; passed += heartbeatMs) {
        talk.wait(heartbeatMs);
        talk.says('realtime-data', charging);
        talk.says('remote-stop-reply', { result: 1 });
      }
    };

    test('a refused charge is asked to stop at once, and again while it goes on, but not for ever', () => {
      const talk = refusing();
      expect(talk.says('realtime-data', charging)).toEqual([{ kind: 'remote-stop', pileNo: testPileNo, gunNo: 1 }]);
      expect(talk.says('realtime-data', charging)).toEqual([]);
      talk.says('remote-stop-reply', { result: 1 });
      expect(talk.exchanges.at(-1)).toMatchObject({ action: '0x36', direction: 'to-station', fault: null });
      goesOn(talk, stopAskIntervalMs);
      expect(stopsOf(talk)).toBe(2);
      goesOn(talk, 2 * stopAsksMax * stopAskIntervalMs);
      expect(stopsOf(talk)).toBe(stopAsksMax);
      expect(talk.state.refused).toBeNull();
    });

    test.each<[string, (talk: Conversation) => unknown]>([
      ['its gun port is idle', (talk) => talk.says('realtime-data', { state: 2, plugged: 1 })],
      ['its record comes', (talk) => talk.says('transaction-record', finished)],
      ['another charge runs there', (talk) => talk.says('realtime-data', { ...charging, tradeNo: '0'.repeat(32) })],
      ['the pile boots', (talk) => talk.says('login')],
    ])('a refused charge is not asked again when %s', (_what, ends) => {
      const talk = refusing();
      talk.says('realtime-data', charging);
      talk.says('remote-stop-reply', { result: 1 });
      ends(talk);
      for (let passed = 0; passed < 2 * stopAskIntervalMs; passed += heartbeatMs) {
        talk.wait(heartbeatMs);
        talk.says('heartbeat');
      }
      expect(stopsOf(talk)).toBe(1);
    });
  });

  test('an event that the business could not take is repeated with the next frame', () => {
    let isAway = true;
    const talk = converse({
      decide: (event) => (isAway && event.kind === 'charge-started' ? 'unavailable' : agreeableBusiness(event)),
    });
    talk.says('realtime-data', charging);
    isAway = false;
    talk.says('realtime-data', charging);
    expect(faults(talk)).toEqual(['Unavailable', null]);
    expect(kinds(talk.events)).toEqual([
      'charge-started',
      'charge-started',
      'readings-taken',
      'connector-state-changed',
    ]);
    expect(talk.closed).toEqual([]);
  });

  test('rule 6: changes of state, plug and fault are events, energy is not', () => {
    const talk = converse();
    talk.says('realtime-data', { state: 2 });
    talk.says('realtime-data', { state: 2, energy: 5 });
    talk.says('realtime-data', { state: 2, plugged: 1 });
    talk.says('realtime-data', { state: 1, plugged: 1, hwFault: 0x1001 });
    talk.says('realtime-data', { state: 0, gunNo: 2 });
    expect(talk.events).toEqual([
      { kind: 'connector-state-changed', connectorNumber: 1, state: 'free' },
      { kind: 'connector-state-changed', connectorNumber: 1, state: 'plugged_in' },
      {
        kind: 'connector-state-changed',
        connectorNumber: 1,
        state: 'fault',
        fault: { code: '0x1001', info: 'emergency-stop, door-open' },
      },
      { kind: 'connector-state-changed', connectorNumber: 2, state: 'offline' },
    ]);
  });

  test('0x12 is answered by the next live data of its gun port, whatever their sequence', () => {
    const talk = converse();
    talk.commands({ kind: 'trigger-message', message: 'readings', connectorNumber: 2 });
    talk.says('realtime-data', { state: 2, gunNo: 1 }, 7);
    expect(talk.settled).toEqual([]);
    talk.says('realtime-data', { state: 2, gunNo: 2 }, 999);
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
    expect(talk.exchanges).toMatchObject([
      { action: '0x13', direction: 'from-station' },
      { action: '0x12', direction: 'to-station', fault: null },
    ]);
    expect(talk.exchanges[1]?.replyText?.slice(0, 12)).toBe('6840E7030013');
    expect(kinds(talk.events)).toEqual(['connector-state-changed', 'connector-state-changed']);
  });
});

describe('rules 7 to 10: the record', () => {
  test('a record reports start and end, and is answered after both are durable', () => {
    const talk = converse({ decide: () => 'later' });
    expect(talk.says('transaction-record', finished)).toEqual([]);
    talk.decides({ kind: 'charge-started', transactionNumber: 1, authorization: 'accepted' });
    expect(talk.sent).toEqual([]);
    talk.decides({ kind: 'charge-stopped' });
    expect(kinds(talk.events)).toEqual(['charge-started', 'charge-stopped']);
    expect(talk.sent).toEqual([{ kind: 'transaction-record-confirm', tradeNo: testTradeNo, result: 0 }]);
    expect(kinds(talk.effects)).toEqual(['event', 'event', 'exchange', 'send']);
  });

  test('rule 8: a failed start without energy reports only the end', () => {
    const talk = converse();
    talk.says('transaction-record', { tradeNo: testTradeNo, stopReason: 0x57 });
    expect(talk.events).toMatchObject([
      { kind: 'charge-stopped', failedToStart: true, reason: 'start_failed', reasonCode: '0x57' },
    ]);
    expect(talk.sent).toHaveLength(1);
  });

  test('rule 9: a record repeated during its decision is answered each time and reported once', () => {
    const talk = converse({ decide: () => 'later' });
    for (const sequence of [1, 2, 3]) talk.says('transaction-record', finished, sequence);
    talk.decides({ kind: 'charge-started', transactionNumber: 1, authorization: 'accepted' });
    talk.decides({ kind: 'charge-stopped' });
    expect(talk.events).toHaveLength(2);
    expect(talk.exchanges.map(({ messageId, replyText }) => [messageId, replyText?.slice(4, 8)])).toEqual([
      ['0100', '0100'],
      ['0200', '0200'],
      ['0300', '0300'],
    ]);
    expect(talk.state.inboxCount).toBe(0);
    expect(talk.state.inbox).toBeNull();
  });

  test('rule 9: a record repeated after its answer is reported and answered again', () => {
    const talk = converse();
    expect(talk.says('transaction-record', finished)).toEqual(talk.says('transaction-record', finished));
    expect(talk.events).toHaveLength(4);
  });

  test('rule 9: a record that could not be stored stays unanswered, and the pile has to log in again', () => {
    for (const kind of ['charge-started', 'charge-stopped'] as const) {
      const talk = converse({ decide: decideBy({ [kind]: 'unavailable' }) });
      expect(talk.says('transaction-record', finished)).toEqual([]);
      expect(talk.exchanges).toMatchObject([{ replyText: null, fault: { code: 'Unavailable' } }]);
      expect(talk.closed).toEqual([{ code: 1013, reason: 'try again later' }]);
    }
  });

  test('a record that breaks the business is not confirmed: the pile keeps it, the log has the fault, the line stays', () => {
    const talk = converse({ decide: decideBy({ 'charge-started': 'failed', 'charge-stopped': 'failed' }) });
    expect(talk.says('transaction-record', finished)).toEqual([]);
    expect(kinds(talk.events)).toEqual(['charge-started', 'charge-stopped']);
    expect(faults(talk)).toEqual(['InternalError']);
    expect(talk.closed).toEqual([]);
    expect(talk.says('heartbeat')).toHaveLength(1);
  });

  test('a record whose start breaks the business keeps that fault in the log', () => {
    const talk = converse({ decide: decideBy({ 'charge-started': 'failed' }) });
    expect(talk.says('transaction-record', finished)).toMatchObject([{ result: 0 }]);
    expect(kinds(talk.events)).toEqual(['charge-started', 'charge-stopped']);
    expect(faults(talk)).toEqual(['InternalError']);
  });

  test('a record too short to read is refused by its name', () => {
    const talk = converse();
    const whole = pileFrame('transaction-record', { pileNo: testPileNo, ...finished });
    const short = writeRawFrame(0x3b, whole.slice(6, 100), 5);
    expect(talk.receives(short)).toEqual([{ kind: 'transaction-record-confirm', tradeNo: testTradeNo, result: 1 }]);
    expect(faults(talk)).toEqual(['BodyTooShort']);
    expect(talk.receives(writeRawFrame(0x3b, whole.slice(6, 12), 6))).toEqual([]);
    expect(converse({ loggedIn: false }).receives(short)).toEqual([]);
    expect(talk.events).toHaveLength(1);
  });

  test('a record too short to read ends its charge, with all that arrived as evidence', () => {
    const talk = converse();
    const short = shortRecord();
    talk.receives(short);
    expect(talk.events).toEqual([
      {
        kind: 'charge-stopped',
        transaction: testTradeNo,
        connectorNumber: 1,
        stationTime: '',
        reason: 'other',
        readings: [],
        unreadable: { message: toHex(short), fault: 'the body is shorter than its table says' },
      },
    ]);
    // A charge without a name belongs to nobody.
    const nameless = shortRecord({ tradeNo: '0'.repeat(32) });
    expect(talk.receives(nameless)).toMatchObject([{ kind: 'transaction-record-confirm', result: 1 }]);
    expect(talk.receives(shortRecord({ tradeNo: testTradeNo, pileNo: '32010600019237' }))).toEqual([]);
    expect(faults(talk)).toEqual(['BodyTooShort', 'BodyTooShort', 'WrongStation']);
    expect(talk.events).toHaveLength(1);
  });

  test('a record too short to read whose name is not digits is refused and ends nothing', () => {
    const talk = converse();
    const tradeNo = `${testTradeNo.slice(0, -1)}A`;
    expect(talk.receives(shortRecord({ tradeNo }))).toEqual([
      { kind: 'transaction-record-confirm', tradeNo, result: 1 },
    ]);
    expect(faults(talk)).toEqual(['BodyTooShort']);
    expect(talk.events).toEqual([]);
  });

  test('a record too short to read stays unanswered until its charge is stored', () => {
    const away = converse({ decide: decideBy({ 'charge-stopped': 'unavailable' }) });
    expect(away.receives(shortRecord())).toEqual([]);
    expect(away.closed).toEqual([{ code: 1013, reason: 'try again later' }]);
    const broken = converse({ decide: decideBy({ 'charge-stopped': 'failed' }) });
    expect(broken.receives(shortRecord())).toEqual([]);
    expect(faults(broken)).toEqual(['InternalError']);
    expect(broken.closed).toEqual([]);
  });

  test('a record too short to read that is repeated before its answer is heard once', () => {
    const talk = converse({ decide: () => 'later' });
    talk.receives(shortRecord());
    talk.receives(shortRecord());
    expect(talk.events).toHaveLength(1);
  });

  test('a record of version 1.7 has the same content after its meter, and gets the same answer', () => {
    const [older, newer] = [converse(), converse()];
    const body = pileFrame('transaction-record', {
      pileNo: testPileNo,
      ...finished,
      sharpEnergy: 12_340,
      vin: 'VIN7',
    }).slice(6, -2);
    const frame = writeRawFrame(
      0x3d,
      new Uint8Array([...body.slice(0, 38), ...new Uint8Array(43).fill(0xa5), ...body.slice(38)]),
      9,
    );
    expect(frame[1]).toBe(0xcd);
    older.receives(writeRawFrame(0x3b, body, 9));
    expect(newer.receives(frame)).toEqual(older.sent);
    expect(newer.events).toEqual(older.events);
    expect(newer.exchanges).toMatchObject([{ action: '0x3D', requestText: toHex(frame), fault: null }]);
    expect(newer.receives(writeRawFrame(0x3d, body, 10))).toMatchObject([{ tradeNo: testTradeNo, result: 1 }]);
    expect(faults(newer)).toEqual([null, 'BodyTooShort']);
  });

  test('a record of an impossible gun port is still accepted', () => {
    const talk = converse();
    expect(talk.says('transaction-record', { ...finished, gunNo: 0 })).toHaveLength(1);
    expect(talk.events).toMatchObject([{ connectorNumber: 1 }, { connectorNumber: 1 }]);
  });
});

describe('rule 11: tariffs', () => {
  const tariff = {
    version: '0107',
    prices: {
      sharp: { electricityE5: 120_000, serviceE5: 40_000 },
      peak: { electricityE5: 100_000, serviceE5: 40_000 },
      flat: { electricityE5: 70_000, serviceE5: 40_000 },
      valley: { electricityE5: 30_000, serviceE5: 40_000 },
    },
    slots: Array.from({ length: 48 }, () => 'flat' as const),
  };

  test.each([
    [true, 0],
    [false, 1],
  ])('0x05: is the billing model current? %s', (isCurrent, result) => {
    const talk = converse({ decide: () => ({ kind: 'tariff-checked', isCurrent }) });
    expect(talk.says('billing-model-verify', { modelNo: '01A7' })).toEqual([
      { kind: 'billing-model-verify-answer', pileNo: testPileNo, modelNo: '01A7', result },
    ]);
    expect(talk.events).toEqual([{ kind: 'tariff-reported', version: '01A7' }]);
  });

  test('0x09 is answered with prices and half hours', () => {
    const talk = converse({ decide: () => ({ kind: 'tariff', tariff }) });
    expect(talk.says('billing-model-request')).toMatchObject([
      { kind: 'billing-model-answer', modelNo: '0107', sharpElecPrice: 120_000, valleyServPrice: 40_000, lossRatio: 0 },
    ]);
  });

  test.each(['unavailable', 'failed'] as const)(
    '0x05 and 0x09 stay unanswered when the business says %s',
    (because) => {
      const talk = converse({ decide: () => because });
      expect(talk.says('billing-model-verify')).toEqual([]);
      expect(talk.says('billing-model-request')).toEqual([]);
      expect(talk.closed).toEqual([]);
      expect(faults(talk)).not.toContain(null);
    },
  );

  test('an absent or impossible tariff is no answer to 0x09', () => {
    const talk = converse({ decide: () => ({ kind: 'tariff', tariff: null }) });
    expect(talk.says('billing-model-request')).toEqual([]);
    const odd = converse({ decide: () => ({ kind: 'tariff', tariff: { ...tariff, slots: [] } }) });
    expect(odd.says('billing-model-request')).toEqual([]);
    expect([...faults(talk), ...faults(odd)]).toEqual(['NoTariff', 'NoTariff']);
  });

  test('a tariff is not sent while a gun port is charging', () => {
    const talk = converse();
    talk.says('realtime-data', { ...charging, gunNo: 2 });
    expect(talk.commands({ kind: 'set-tariff', tariff }, 'while')).toEqual([]);
    expect(talk.settled).toEqual([{ ref: 'while', outcome: { kind: 'busy' } }]);
    talk.says('realtime-data', { state: 2, gunNo: 2 });
    expect(talk.commands({ kind: 'set-tariff', tariff }, 'after')).toMatchObject([{ kind: 'billing-model-set' }]);
    talk.says('billing-model-set-reply', { result: 1 });
    talk.commands(remoteStart, 'start');
    talk.commands({ kind: 'set-tariff', tariff }, 'while it starts');
    talk.says('remote-start-reply', { tradeNo: testTradeNo, result: 1 });
    talk.commands({ kind: 'set-tariff', tariff }, 'before it charges');
    expect(talk.settled.filter(({ outcome }) => outcome.kind === 'busy').map(({ ref }) => ref)).toEqual([
      'while',
      'while it starts',
      'before it charges',
    ]);
    expect(talk.settled).toContainEqual({ ref: 'after', outcome: { kind: 'accepted' } });
  });
});

describe('rules 12 and 13: charges that the pile asks for', () => {
  test('an accepted card gets the name of the charge and the balance', () => {
    const talk = converse();
    expect(talk.says('charge-application', { ...swipe, gunNo: 2 })).toEqual([
      {
        kind: 'charge-application-answer',
        tradeNo: testTradeNo,
        pileNo: testPileNo,
        gunNo: 2,
        logicCardNo: '0000000006230001',
        balance: 8_888,
        authOk: 1,
        failReason: 0,
      },
    ]);
    expect(talk.events).toEqual([
      { kind: 'charge-requested', connectorNumber: 2, by: { kind: 'card', cardNumber: '00000000AABBCCDD' } },
    ]);
  });

  test.each(['unavailable', 'failed'] as const)(
    'a request that finds the business %s is refused at once',
    (because) => {
      const talk = converse({ decide: () => because });
      expect(talk.says('charge-application', swipe)).toMatchObject([
        { authOk: 0, failReason: 5, tradeNo: '0'.repeat(32) },
      ]);
      expect(talk.closed).toEqual([]);
    },
  );

  test('rule 13: each gun port of a parallel charge asks and is answered by itself', () => {
    const talk = converse();
    const parallelNo = '261121160000';
    for (const gunNo of [1, 2]) {
      expect(talk.says('parallel-charge-application', { ...swipe, gunNo, parallelNo })).toMatchObject([
        { kind: 'parallel-charge-application-answer', gunNo, parallelNo, authOk: 1 },
      ]);
    }
    expect(talk.events).toMatchObject([{ parallelKey: parallelNo }, { parallelKey: parallelNo }]);
  });

  test('rule 13: a parallel start is sent and answered per gun port', () => {
    const talk = converse();
    const parallelKey = '261121160000';
    talk.commands({ ...remoteStart, parallelKey }, 'one');
    talk.commands({ ...remoteStart, connectorNumber: 2, transaction: otherTradeNo, parallelKey }, 'two');
    expect(kinds(talk.sent)).toEqual(['remote-parallel-start', 'remote-parallel-start']);
    talk.says('remote-parallel-start-reply', { tradeNo: otherTradeNo, gunNo: 2, result: 1 });
    talk.says('remote-parallel-start-reply', { tradeNo: testTradeNo, gunNo: 1, result: 0, failReason: 3 });
    expect(talk.settled).toEqual([
      { ref: 'two', outcome: { kind: 'accepted' } },
      { ref: 'one', outcome: { kind: 'rejected', reason: 'fault' } },
    ]);
  });
});

test('rule 14: an AC pile reports neither SOC nor battery', () => {
  const talk = converse();
  talk.says('realtime-data', { ...charging, voltage: 2_200, current: 320 });
  expect(talk.events[1]).toEqual({
    kind: 'readings-taken',
    connectorNumber: 1,
    transaction: testTradeNo,
    readings: [{ at: talk.now, energyWh: 1_234, powerW: 7_040, currentMa: 32_000, voltageMv: 220_000 }],
  });
});

test('rule 15: a ground lock reports its state, also in reply to commands', () => {
  const talk = converse();
  talk.says('ground-lock-report', { lockState: 0x55, spaceState: 0xff, battery: 80, alarm: 0x55 });
  expect(talk.events).toEqual([
    {
      kind: 'ground-lock-changed',
      connectorNumber: 1,
      lock: 'raised',
      bay: 'occupied',
      batteryPercent: 80,
      alarm: 'movement-abnormal',
    },
  ]);
  expect(talk.commands({ kind: 'move-ground-lock', connectorNumber: 1, to: 'lowered' })).toEqual([
    { kind: 'ground-lock-command', pileNo: testPileNo, gunNo: 1, action: 0xff },
  ]);
  talk.says('ground-lock-command-reply', { gunNo: 1, result: 1 });
  expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'accepted' } }]);
});

describe('meaningless frames', () => {
  test.each([
    ['no frame', Uint8Array.of(0x68, 1, 2), 'Unreadable', null],
    ['two frames', new Uint8Array([...pileFrame('heartbeat', {}), ...pileFrame('heartbeat', {})]), 'Unreadable', null],
    [
      'a wrong checksum',
      pileFrame('heartbeat', { pileNo: testPileNo }).map((byte, at) => (at === 14 ? byte ^ 1 : byte)),
      'Unreadable',
      null,
    ],
    ['an unknown type', writeRawFrame(0x77, new Uint8Array(9), 1), 'UnknownType', '0x77'],
    ['a short body', writeRawFrame(0x03, new Uint8Array(3), 1), 'BodyTooShort', '0x03'],
    ['a type of ours', pileFrame('heartbeat-answer', { pileNo: testPileNo }), 'WrongDirection', '0x04'],
    ['another pile', pileFrame('heartbeat', { pileNo: '99999999999999' }), 'WrongStation', '0x03'],
    ['a gun that can not be', pileFrame('realtime-data', { pileNo: testPileNo, gunNo: 0 }), 'WrongGun', '0x13'],
    ['a reply to nothing', pileFrame('reboot-reply', { pileNo: testPileNo }), 'UnknownReply', '0x91'],
  ])('%s is logged, has no answer, and the next frame is served', (_, frame, code, action) => {
    const talk = converse();
    expect(talk.receives(frame)).toEqual([]);
    expect(talk.exchanges).toMatchObject([{ action, replyText: null, fault: { code } }]);
    expect(talk.exchanges[0]?.requestText).toBe(toHex(frame));
    expect(talk.says('heartbeat')).toHaveLength(1);
    expect(talk.closed).toEqual([]);
  });

  test('an encrypted frame is logged as such', () => {
    const talk = converse();
    const frame = pileFrame('heartbeat', { pileNo: testPileNo });
    frame[4] = 1;
    expect(talk.receives(withChecksum(frame.slice(0, -2)))).toEqual([]);
    expect(faults(talk)).toEqual(['Encrypted']);
  });

  test('a checksum with its high byte first is accepted', () => {
    const talk = converse();
    const frame = pileFrame('heartbeat', { pileNo: testPileNo });
    const [low, high] = frame.slice(-2);
    frame[frame.length - 2] = high ?? 0;
    frame[frame.length - 1] = low ?? 0;
    expect(talk.receives(frame)).toHaveLength(1);
  });
});

describe('commands', () => {
  test('commands with different replies are out at once, those with the same reply take turns', () => {
    const talk = converse();
    talk.commands(remoteStart, 'start 1');
    talk.commands({ ...remoteStart, connectorNumber: 2, transaction: otherTradeNo }, 'start 2');
    talk.commands({ kind: 'reset', mode: 'hard' }, 'reset now');
    talk.commands({ kind: 'reset', mode: 'soft' }, 'reset later');
    expect(kinds(talk.sent)).toEqual(['remote-start', 'remote-start', 'reboot']);
    talk.says('reboot-reply', { result: 1 });
    expect(talk.sent.at(-1)).toEqual({ kind: 'reboot', pileNo: testPileNo, when: 2 });
    talk.says('reboot-reply', { result: 0 });
    talk.says('remote-start-reply', { tradeNo: otherTradeNo, gunNo: 2, result: 1 });
    talk.says('remote-start-reply', { tradeNo: testTradeNo, gunNo: 1, result: 1 });
    expect(talk.settled).toEqual([
      { ref: 'reset now', outcome: { kind: 'accepted' } },
      { ref: 'reset later', outcome: { kind: 'rejected' } },
      { ref: 'start 2', outcome: { kind: 'accepted' } },
      { ref: 'start 1', outcome: { kind: 'accepted' } },
    ]);
    expect(talk.state.calls).toBeNull();
  });

  test('more cards than fit in a frame are sent in several frames, with one outcome', () => {
    const talk = converse();
    const cards = Array.from({ length: 32 }, (_, index) => ({ number: String(index), physicalNumber: `AB${index}` }));
    talk.commands({ kind: 'store-cards', cards });
    talk.says('offline-card-sync-reply', { result: 1 });
    talk.says('offline-card-sync-reply', { result: 0, failReason: 2 });
    expect(talk.settled).toEqual([]);
    talk.says('offline-card-sync-reply', { result: 1 });
    expect(talk.sent.map((message) => (message.kind === 'offline-card-sync' ? message.cards.length : 0))).toEqual([
      15, 15, 2,
    ]);
    const [settled] = talk.settled;
    expect(settled?.outcome.kind === 'cards' && settled.outcome.cards.map(({ done }) => done)).toEqual(
      cards.map((_, index) => index < 15 || index >= 30),
    );
    expect(settled).toMatchObject({ outcome: { cards: { 15: { physicalNumber: 'AB15', reason: 'storage_full' } } } });
    expect(talk.exchanges).toHaveLength(3);
  });

  test('a late reply by the sequence of a call that timed out is not the reply to the next one', () => {
    const talk = converse();
    const asked = (ref: string) => {
      talk.commands({ kind: 'reset', mode: 'soft' }, ref);
      return talk.state.nextSequence - 1;
    };
    const first = asked('first');
    talk.wait(callTimeoutMs);
    const second = asked('second');
    talk.says('reboot-reply', { result: 0 }, first);
    expect(talk.settled).toEqual([{ ref: 'first', outcome: { kind: 'timed-out' } }]);
    expect(faults(talk).at(-1)).toBe('UnknownReply');
    talk.says('reboot-reply', { result: 1 }, second);
    expect(talk.settled.at(-1)).toEqual({ ref: 'second', outcome: { kind: 'accepted' } });
    // A pile that counts by itself is understood.
    asked('third');
    talk.says('reboot-reply', { result: 1 }, 999);
    expect(talk.settled.at(-1)).toEqual({ ref: 'third', outcome: { kind: 'accepted' } });
  });

  test('our requests count their sequence little-endian', () => {
    const talk = converse();
    for (let count = 0; count < 300; count += 1) {
      talk.commands({ kind: 'set-clock' });
      talk.says('clock-set-reply');
    }
    expect(talk.exchanges.at(-1)?.messageId).toBe('2C01');
    expect(talk.exchanges.every(({ fault }) => fault === null)).toBe(true);
  });

  test('too many waiting commands are refused as busy, those that wait too long time out', () => {
    const talk = converse();
    for (let count = 0; count < commandQueueMax + 2; count += 1) talk.commands({ kind: 'set-clock' }, `c${count}`);
    expect(talk.settled).toEqual([{ ref: `c${commandQueueMax + 1}`, outcome: { kind: 'busy' } }]);
    for (let passed = 0; passed < commandWaitMs + callTimeoutMs; passed += heartbeatMs) {
      talk.says('heartbeat');
      talk.wait(heartbeatMs);
    }
    expect(talk.settled.slice(1).every(({ outcome }) => outcome.kind === 'timed-out')).toBe(true);
    expect(talk.settled).toHaveLength(commandQueueMax + 2);
  });

  test('0x93 comes when the firmware runs, and is awaited as long as that takes', () => {
    const firmware = {
      current: 'dc',
      ratedPowerKw: 120,
      host: '10.0.0.1',
      port: 21,
      user: 'pile',
      password: 'secret',
      path: '/fw.bin',
      timeoutMinutes: 5,
    } as const;
    const talk = converse();
    talk.commands({ kind: 'update-firmware', firmware: { ...firmware, when: 'now' } });
    const limitMs = 5 * 60 * secondMs + firmwareInstallMs;
    for (let passed = 0; passed < limitMs - heartbeatMs; passed += heartbeatMs) {
      talk.wait(heartbeatMs);
      talk.says('heartbeat');
    }
    expect(talk.settled).toEqual([]);
    talk.says('ota-reply', { state: 2 });
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'rejected', reason: 'wrong_model' } }]);
    const text = talk.exchanges.at(-1)?.requestText ?? '';
    expect(text).not.toContain(toHex(new TextEncoder().encode('secret')));
    expect(text).toContain(toHex(new TextEncoder().encode('pile')));
    expect(firmwareIdleWaitMs).toBeGreaterThan(firmwareInstallMs);
    talk.says('ota-reply', { state: 0 });
    expect(talk.events.at(-1)).toEqual({ kind: 'firmware-status-changed', status: 'installed' });
  });

  test('a raw call of a known type takes the fields of its table and returns those of the reply', () => {
    const talk = converse();
    expect(talk.commands({ kind: 'raw', action: '0x92', payload: { when: 1 } })).toEqual([
      { kind: 'reboot', pileNo: testPileNo, when: 1 },
    ]);
    talk.says('reboot-reply', { result: 1 });
    expect(talk.settled).toEqual([
      { ref: 'command', outcome: { kind: 'raw', payload: { pileNo: testPileNo, result: 1 } } },
    ]);
  });

  test('a raw call of an unknown type returns the bytes of the reply', () => {
    const talk = converse();
    const effects = talk.feed({
      kind: 'command',
      ref: 'qr',
      command: { kind: 'raw', action: '0xF0', payload: { hex: `${testPileNo}000141` } },
    });
    expect(effects).toMatchObject([{ kind: 'send' }]);
    talk.receives(writeRawFrame(0xf1, fromHex(`${testPileNo}01`) ?? new Uint8Array(), 9));
    expect(talk.settled).toEqual([{ ref: 'qr', outcome: { kind: 'raw', payload: { hex: `${testPileNo}01` } } }]);
  });

  test.each([
    ['a type of the pile', '0x13', {}],
    ['an answer', '0x02', { result: 0 }],
    ['no type', 'Reset', {}],
    ['a missing field', '0x92', {}],
    ['another pile', '0x92', { pileNo: '99999999999999', when: 1 }],
    ['another pile in bytes', '0x92', { hex: '9999999999999901' }],
    ['another pile in bytes of no table', '0xF0', { hex: `99${testPileNo}` }],
    ['no hexadecimal', '0xF0', { hex: 'x' }],
  ])('a raw call of %s is not sent', (_, action, payload) => {
    const talk = converse();
    expect(talk.commands({ kind: 'raw', action, payload })).toEqual([]);
    expect(talk.settled).toEqual([{ ref: 'command', outcome: { kind: 'failed' } }]);
  });

  test('when the line ends everything is settled and logged', () => {
    const talk = converse({ decide: () => 'later' });
    talk.commands(remoteStart, 'out');
    talk.commands(remoteStart, 'waiting');
    talk.says('transaction-record', finished);
    talk.feed({ kind: 'closed' });
    expect(talk.settled).toEqual([
      { ref: 'out', outcome: { kind: 'offline' } },
      { ref: 'waiting', outcome: { kind: 'offline' } },
    ]);
    expect(faults(talk)).toEqual(['ConnectionClosed', 'ConnectionClosed']);
    talk.commands(remoteStart, 'after');
    expect(talk.settled.at(-1)).toEqual({ ref: 'after', outcome: { kind: 'offline' } });
    expect(talk.feed({ kind: 'closed' })).toEqual([]);
  });
});

describe('limits', () => {
  test('a pile that does not wait for answers is paused, and cut off in the end', () => {
    const talk = converse({ decide: () => 'later' });
    for (let count = 0; count < inboxMax; count += 1) talk.says('realtime-data', { state: 2, energy: count });
    expect(kinds(talk.effects).filter((kind) => kind === 'pause')).toHaveLength(1);
    expect(talk.effects.findIndex(({ kind }) => kind === 'pause')).toBeLessThan(inboxPauseAt + 1);
    talk.says('realtime-data', { state: 2 });
    expect(talk.closed).toEqual([{ code: 1008, reason: 'too many unanswered frames' }]);
    expect(faults(talk)).toEqual(['LimitReached']);
  });

  test('the socket is read again when the inbox has been worked off', () => {
    const talk = converse({ decide: () => 'later' });
    for (let count = 0; count < inboxPauseAt; count += 1)
      talk.says('billing-model-verify', { modelNo: `${1000 + count}` });
    for (let left = inboxPauseAt; left > inboxResumeAt + 1; left -= 1) {
      talk.decides({ kind: 'tariff-checked', isCurrent: true });
    }
    expect(kinds(talk.effects)).not.toContain('resume');
    talk.decides({ kind: 'tariff-checked', isCurrent: true });
    expect(kinds(talk.effects)).toContain('resume');
  });

  test('a business that does not answer counts as unavailable', () => {
    const talk = converse({ decide: decideBy({ 'charge-requested': 'later' }) });
    talk.says('charge-application', swipe);
    for (let passed = 0; passed < businessWaitMs; passed += heartbeatMs) {
      talk.wait(heartbeatMs);
      talk.says('heartbeat');
    }
    expect(talk.sent[0]).toMatchObject({ kind: 'charge-application-answer', authOk: 0 });
    expect(faults(talk)[0]).toBe('Unavailable');
    expect(talk.feed({ kind: 'answered', ref: 1, answer: { kind: 'noted' } })).toEqual([]);
  });

  test('an idle connection keeps no lists except for its gun ports', () => {
    const { state } = converse();
    expect({ inbox: state.inbox, calls: state.calls, handed: state.handed }).toEqual({
      inbox: null,
      calls: null,
      handed: null,
    });
  });
});

/** The bytes followed by their checksum. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  const crc = crc16(bytes, 2, bytes.length);
  return new Uint8Array([...bytes, crc & 0xff, crc >>> 8]);
}
