import { expect, test } from 'vitest';
import { isOutcome, outcomeView } from './outcome.ts';

test('an accepted command is green, also if it takes effect later', () => {
  expect(outcomeView({ kind: 'accepted' })).toEqual({ tone: 'free', kind: 'accepted', details: null });
  expect(outcomeView({ kind: 'scheduled' }).tone).toBe('free');
  expect(outcomeView({ kind: 'reboot-required' }).tone).toBe('free');
});

test('a rejected command is red, silence and lack of support are amber', () => {
  expect(outcomeView({ kind: 'rejected' }).tone).toBe('fault');
  expect(outcomeView({ kind: 'failed' }).tone).toBe('fault');
  expect(outcomeView({ kind: 'timed-out' }).tone).toBe('occupied');
  expect(outcomeView({ kind: 'not-supported' }).tone).toBe('occupied');
});

test("a station's additional details are kept", () => {
  expect(outcomeView({ kind: 'station-error', code: 'NotImplemented', description: '' }).details).toBe(
    'NotImplemented',
  );
  expect(outcomeView({ kind: 'station-error', code: 'InternalError', description: 'flash' }).details).toBe(
    'InternalError: flash',
  );
  expect(outcomeView({ kind: 'raw', payload: { status: 'Accepted' } }).details).toBe('{"status":"Accepted"}');
  const entries = [{ key: 'HeartbeatInterval', value: '60', readonly: false }];
  expect(outcomeView({ kind: 'configuration', entries, unknownKeys: [] }).details).toBe('HeartbeatInterval = 60');
});

test('an answer that is not an outcome is recognised', () => {
  expect(isOutcome({ kind: 'accepted' })).toBe(true);
  expect(isOutcome(null)).toBe(false);
  expect(isOutcome({ status: 'Accepted' })).toBe(false);
});
