import { hourMs, instant, minuteMs, parseIso, secondMs, toIso } from '@voltdeck/units/instant';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerOfConfirm,
  type ChargeStage,
  checkedDay,
  confirmResults,
  decideAfterAnswer,
  decideRequest,
  isCheckTime,
  isInTimeWindow,
  isValidSeq,
  mayMove,
  notifyRetriesMax,
  notifyRetryDelayMs,
  orderRetryDelayMs,
  pageOf,
  pageSizeMax,
  pollDueAt,
  recordSeq,
  replayMemoryMs,
  requestChecks,
  type SequenceMemory,
  sequenceAt,
  sequenceOf,
  startChargeSeq,
  statsSpan,
  statusPushIntervalMs,
  tokenLifetimeMs,
  tokenLifetimeMsMax,
  tokenRefreshAt,
} from './conversation.ts';
import { supervisedPageSize } from './messages/supervision.ts';
import { defaultProfile } from './profile.ts';

const at = instant(parseIso('2026-11-21T15:04:05+08:00') ?? 0);

describe('requests (section 2.8)', () => {
  test('a request is checked in order, and handled when it has passed everything', () => {
    const passed: Record<string, boolean> = {};
    for (const check of requestChecks) {
      expect(decideRequest('query_start_charge', passed)).toEqual({ kind: 'check', check });
      passed[check] = true;
    }
    expect(decideRequest('query_start_charge', passed)).toEqual({ kind: 'handle' });
  });

  test('nothing is decrypted before signature, token, time and repetition are examined', () => {
    const order = requestChecks.indexOf('content');
    for (const check of ['signature', 'token', 'time', 'replay'] as const) {
      expect(requestChecks.indexOf(check)).toBeLessThan(order);
    }
  });

  test.each([
    ['size', 4003],
    ['envelope', 4003],
    ['operator', 4003],
    ['signature', 4001],
    ['token', 4002],
    ['time', 4003],
    ['replay', 4003],
    ['content', 4003],
    ['fields', 4004],
  ] as const)('a request that fails at its %s is answered %d, and examined no further', (check, ret) => {
    const before = requestChecks.slice(0, requestChecks.indexOf(check));
    const passed = { ...Object.fromEntries(before.map((each) => [each, true])), [check]: false };
    expect(decideRequest('query_stop_charge', passed)).toEqual({ kind: 'refuse', check, ret });
  });

  test('query_token needs no token', () => {
    const passed = { size: true, envelope: true, operator: true, signature: true };
    expect(decideRequest('query_token', passed)).toEqual({ kind: 'check', check: 'time' });
    expect(decideRequest('query_token', { ...passed, token: false })).toEqual({ kind: 'check', check: 'time' });
  });

  test('a request is in time within the window of its partner, on either side', () => {
    const window = (offsetMs: number, timeWindowMs = defaultProfile.timeWindowMs) =>
      isInTimeWindow(instant(at + offsetMs), at, { ...defaultProfile, timeWindowMs });
    expect([window(0), window(5 * minuteMs), window(-5 * minuteMs)]).toEqual([true, true, true]);
    expect([window(5 * minuteMs + 1), window(-5 * minuteMs - 1)]).toEqual([false, false]);
    expect([window(secondMs, secondMs), window(secondMs + 1, secondMs)]).toEqual([true, false]);
    expect(isInTimeWindow(null, at, defaultProfile)).toBe(false);
  });

  test('an envelope is remembered as long as it could be sent again', () => {
    expect(replayMemoryMs(defaultProfile)).toBe(10 * minuteMs);
  });
});

describe('answers', () => {
  const after = (ret: number | null, isTokenNew = false) => ({
    push: decideAfterAnswer('notification_stationStatus', { ret, isTokenNew }),
    start: decideAfterAnswer('query_start_charge', { ret, isTokenNew }),
  });

  test('a refused token is refreshed once', () => {
    expect(after(4002)).toEqual({ push: 'refresh-token', start: 'refresh-token' });
    expect(after(4002, true)).toEqual({ push: 'give-up', start: 'give-up' });
    expect(decideAfterAnswer('query_token', { ret: 4002, isTokenNew: false })).toBe('give-up');
  });

  test.each([null, -1, 500, 12_345])('after Ret %s a start is asked about, never sent again (section 2.9)', (ret) => {
    expect(after(ret)).toEqual({ push: 'retry', start: 'ask-status' });
    expect(decideAfterAnswer('query_stop_charge', { ret, isTokenNew: true })).toBe('ask-status');
  });

  test.each([4001, 4003, 4004])('after Ret %d the same request would be refused again', (ret) => {
    expect(after(ret)).toEqual({ push: 'give-up', start: 'give-up' });
  });

  test.each([4001, 4002, 4003, 4004, 500, null])(
    'an order that is answered %s is told again: money waits for it',
    (ret) => {
      expect(decideAfterAnswer('notification_charge_order_info', { ret, isTokenNew: true })).toBe('retry');
    },
  );

  test('an answer that came is read', () => {
    expect(after(0)).toEqual({ push: 'read', start: 'read' });
  });
});

describe('charges', () => {
  test('the stage of a charge only rises, and unknown tells nothing (section 7)', () => {
    const stages: readonly ChargeStage[] = [1, 2, 3, 4, 5];
    const moves = stages.flatMap((from) => stages.filter((to) => mayMove(from, to)).map((to) => `${from}${to}`));
    expect(moves).toEqual(['12', '13', '14', '23', '24', '34', '51', '52', '53', '54']);
    expect(stages.filter((to) => mayMove(null, to))).toEqual(stages);
  });

  test('whatever order messages arrive in, the stage ends at the highest of them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<ChargeStage>(1, 2, 3, 4, 5), { minLength: 1 }), (told) => {
        const end = told.reduce<ChargeStage | null>((stage, next) => (mayMove(stage, next) ? next : stage), null);
        const known = told.filter((stage) => stage !== 5);
        expect(end).toBe(known.length === 0 ? 5 : Math.max(...known));
      }),
    );
  });

  test('an order is repeated at growing intervals without end, other pushes a few times a minute apart', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 1_000].map((attempt) => orderRetryDelayMs(attempt) / secondMs)).toEqual([
      150, 300, 600, 1_200, 1_800, 3_600, 3_600, 3_600,
    ]);
    expect(orderRetryDelayMs(0)).toBe(150 * secondMs);
    expect([1, notifyRetriesMax, notifyRetriesMax + 1].map(notifyRetryDelayMs)).toEqual([minuteMs, minuteMs, null]);
    expect(notifyRetriesMax).toBeGreaterThan(3);
  });

  test('a charge is asked about a minute after its start, and after the silence of three pushes', () => {
    expect(pollDueAt({ startedAt: at, heardAt: null })).toBe(at + minuteMs);
    expect(pollDueAt({ startedAt: at, heardAt: instant(at + 1) })).toBe(at + 1 + 3 * statusPushIntervalMs);
  });

  test('any ConfirmResult ends the repetitions of an order, and a refusal does not (section 6.9)', () => {
    expect([0, 1, 2, 99, null].map(answerOfConfirm)).toEqual([
      'confirmed',
      'disputed',
      'disputed',
      'disputed',
      'repeat',
    ]);
    expect(confirmResults.repeated).toBe(confirmResults.accepted);
  });
});

describe('numbers', () => {
  test('Seq counts from one in every second (section 2.2)', () => {
    const one = sequenceOf(null, at);
    expect(one).toEqual({ second: at / secondMs, seq: 1 });
    expect(sequenceOf(one, instant(at + 999))).toEqual({ second: at / secondMs, seq: 2 });
    expect(sequenceOf(one, instant(at + 1_000))).toEqual({ second: at / secondMs + 1, seq: 1 });
    expect(sequenceAt(one)).toBe(at);
    const last = { ...one, seq: 9_999 };
    expect(sequenceOf(last, at)).toEqual({ second: at / secondMs + 1, seq: 1 });
  });

  test('no number is given twice, whatever the clock does and however many are asked for', () => {
    const jumps = fc.array(fc.integer({ min: -3_000, max: 3_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(jumps, fc.constantFrom(0, 9_990), (offsets, used) => {
        let memory: SequenceMemory | null = used === 0 ? null : { second: at / secondMs, seq: used };
        const given = new Set<string>();
        for (const offset of offsets) {
          memory = sequenceOf(memory, instant(at + offset));
          const { second, seq } = memory;
          expect(seq).toBeGreaterThanOrEqual(1);
          expect(seq).toBeLessThanOrEqual(9_999);
          given.add(`${second}-${seq}`);
        }
        expect(given.size).toBe(offsets.length);
      }),
    );
  });

  test('the number of a charge has exactly 27 characters: operator, time in Shanghai, four digits (section 6)', () => {
    expect(startChargeSeq('MA1AB2C3D', at, 7)).toBe('MA1AB2C3D202611211504050007');
    expect(isValidSeq(startChargeSeq('MA1AB2C3D', at, 9_999), 'MA1AB2C3D')).toBe(true);
  });

  test.each([
    [7, '0007'],
    [9_999, '9999'],
    [10_000, '0000'],
    [12_345_678, '5678'],
  ])('the record %d of ours is named by the last four digits of its id', (recordId, digits) => {
    expect(recordSeq('MA1AB2C3D', at, recordId)).toBe(`MA1AB2C3D20261121150405${digits}`);
  });

  test('the records of a second have names of their own wherever their ids begin', () => {
    const names = Array.from({ length: 500 }, (_, index) => recordSeq('MA1AB2C3D', at, 9_999_800 + index));
    expect(new Set(names).size).toBe(500);
    expect(() => recordSeq('MA1AB2C3D', at, -1)).toThrow(RangeError);
  });

  test.each([
    ['MA1AB2C3D', -1],
    ['MA1AB2C3D', 10_000],
    ['MA1AB2C3D', 0.5],
    ['MA1AB2C3', 1],
    ['MA1AB2C3DE', 1],
  ])('no number of a charge is made for %s and %d', (operatorId, number) => {
    expect(() => startChargeSeq(operatorId, at, number)).toThrow(RangeError);
  });

  test.each(['MA1AB2C3D20261121150405000', 'MA9ZZ8Y7X202611211504050007', 'MA1AB2C3D20261121150405 007', ''])(
    '"%s" is no number of this operator',
    (sequence) => {
      expect(isValidSeq(sequence, 'MA1AB2C3D')).toBe(false);
    },
  );
});

describe('bounds', () => {
  test('a token is refreshed before it expires and at least daily (section 3)', () => {
    expect(tokenRefreshAt(at, tokenLifetimeMs)).toBe(at + 2 * hourMs - 5 * minuteMs);
    expect(tokenRefreshAt(at, 10 * minuteMs)).toBe(at + 9 * minuteMs);
    expect(tokenRefreshAt(at, tokenLifetimeMsMax)).toBe(at + 24 * hourMs);
    expect(tokenRefreshAt(at, 0)).toBe(at);
    expect(tokenLifetimeMs).toBeLessThanOrEqual(tokenLifetimeMsMax);
  });

  test('a page has ten stations unless asked for more, fifty at most, and keeps its number beyond the end', () => {
    expect(pageOf({}, 25)).toEqual({ pageNo: 1, pageSize: 10, pageCount: 3, offset: 0 });
    expect(pageOf({ PageNo: 9, PageSize: 20 }, 40)).toEqual({ pageNo: 9, pageSize: 20, pageCount: 2, offset: 160 });
    expect(pageOf({ PageSize: 1_000 }, 0)).toEqual({ pageNo: 1, pageSize: pageSizeMax, pageCount: 0, offset: 0 });
    expect(pageOf({}, 60, supervisedPageSize)).toEqual({ pageNo: 1, pageSize: 50, pageCount: 2, offset: 0 });
  });

  test('statistics span seven days at most, both ends included', () => {
    const span = statsSpan('2026-11-15', '2026-11-21');
    expect(span.ok && [toIso(span.value.from), toIso(span.value.to)]).toEqual([
      '2026-11-14T16:00:00.000Z',
      '2026-11-21T16:00:00.000Z',
    ]);
    expect(statsSpan('2026-11-21', '2026-11-21').ok).toBe(true);
    expect(statsSpan('2026-11-14', '2026-11-21')).toEqual({ ok: false, error: 'too-long' });
    expect(statsSpan('2026-11-21', '2026-11-20')).toEqual({ ok: false, error: 'backwards' });
    expect(statsSpan('2026-02-30', '2026-03-01')).toEqual({ ok: false, error: 'not-a-date' });
  });

  test('orders of the day before are compared between midnight and three', () => {
    const time = (text: string) => isCheckTime(instant(parseIso(`2026-11-22T${text}+08:00`) ?? 0));
    expect([time('00:00:00'), time('02:59:59'), time('03:00:00'), time('23:59:59')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const { from, to } = checkedDay(instant(parseIso('2026-11-22T01:30:00+08:00') ?? 0));
    expect([toIso(from), toIso(to)]).toEqual(['2026-11-20T16:00:00.000Z', '2026-11-21T16:00:00.000Z']);
  });
});
