import { expect, test } from 'vitest';
import { isOutcome, outcomeView } from './outcome.ts';

test('a yes is green, also one for later', () => {
  expect(outcomeView({ kind: 'accepted' })).toEqual({ tone: 'free', kind: 'accepted', details: null });
  expect(outcomeView({ kind: 'scheduled' }).tone).toBe('free');
  expect(outcomeView({ kind: 'reboot-required' }).tone).toBe('free');
});

test('a no is red, silence and lack of support are amber', () => {
  expect(outcomeView({ kind: 'rejected' }).tone).toBe('fault');
  expect(outcomeView({ kind: 'failed' }).tone).toBe('fault');
  expect(outcomeView({ kind: 'timed-out' }).tone).toBe('occupied');
  expect(outcomeView({ kind: 'not-supported' }).tone).toBe('occupied');
});

test('what the station said beyond yes and no is kept', () => {
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

test('an answer that is no outcome is recognised as none', () => {
  expect(isOutcome({ kind: 'accepted' })).toBe(true);
  expect(isOutcome(null)).toBe(false);
  expect(isOutcome({ status: 'Accepted' })).toBe(false);
});
