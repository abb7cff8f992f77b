import { describe, expect, test } from 'vitest';
import { logOf } from '../test-log.ts';
import { gapMinMs, timelineOf } from './timeline.ts';

const beat = (atMs: number, more = {}) => logOf({ id: String(atMs), atMs, action: 'Heartbeat', ...more });
const status = (atMs: number) => logOf({ id: String(atMs), atMs });
const kinds = (logs: Parameters<typeof timelineOf>[0]) =>
  timelineOf(logs).map((item) =>
    item.kind === 'gap' ? item.lengthMs : item.kind === 'heartbeats' ? `${item.logs.length} beats` : 'exchange',
  );

describe('a conversation as it is read', () => {
  test('a conversation folds consecutive heartbeats, however far apart', () => {
    expect(kinds([beat(0), beat(10_000), beat(20_000), status(20_500), beat(21_000)])).toEqual([
      '3 beats',
      'exchange',
      '1 beats',
    ]);
  });

  test('a conversation shows silences, measured from the last heartbeat, not from the first', () => {
    expect(kinds([beat(0), beat(10_000), status(10_000 + gapMinMs), status(10_001 + gapMinMs)])).toEqual([
      '2 beats',
      gapMinMs,
      'exchange',
      'exchange',
    ]);
  });

  test('a conversation does not hide a heartbeat that went wrong', () => {
    expect(kinds([beat(0), beat(1, { answer: null, fault: 'Unavailable' }), beat(2, { answer: null })])).toEqual([
      '1 beats',
      'exchange',
      'exchange',
    ]);
  });
});
