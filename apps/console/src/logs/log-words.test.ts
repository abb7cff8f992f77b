import { describe, expect, test } from 'vitest';
import { answerStateOf, clockTime, exactTime, latencyText, previewOf, shortTime, slowMs } from './log-words.ts';
import { logOf } from './test-log.ts';

describe('a row of the log', () => {
  test('a row of the log shows its time to the millisecond, in Asia/Shanghai', () => {
    expect(exactTime('2026-11-22T05:16:39.007Z')).toBe('2026-11-22 13:16:39.007');
    expect(shortTime('2026-11-22T05:16:39.007Z')).toBe('11-22 13:16:39.007');
    expect(clockTime('2026-11-22T05:16:39.007Z')).toBe('13:16:39.007');
  });

  test('a row of the log marks a slow or missing answer, but not a call that needs none', () => {
    expect(answerStateOf(logOf({ latencyMs: slowMs - 1 }))).toBe('answered');
    expect(answerStateOf(logOf({ latencyMs: slowMs }))).toBe('slow');
    expect(answerStateOf(logOf({ answer: null, latencyMs: null }))).toBe('missing');
    expect(answerStateOf(logOf({ protocol: 'ykc', action: '0x13', answer: null }))).toBe('not-awaited');
    expect(answerStateOf(logOf({ protocol: 'ykc', action: '0x34', answer: null }))).toBe('missing');
    expect([latencyText(999), latencyText(3_240), latencyText(null)]).toEqual(['999 ms', '3.2 s', '—']);
  });

  test('a row of the log shows what a call carries without what every call has', () => {
    expect(previewOf({ protocol: 'ocpp1.6', request: '[2,"a\\"b","Reset",{"type":"Soft"}]' })).toBe('{"type":"Soft"}');
    expect(previewOf({ protocol: 'ocpp1.6', request: 'not a frame' })).toBe('not a frame');
    expect(previewOf({ protocol: 'ykc', request: '680C0100000155031412' })).toBe('55 03 14 12');
    expect(previewOf({ protocol: 'ykc', request: '68'.repeat(100) })).toMatch(/^(68 ){39}68 …$/);
    expect(previewOf({ protocol: 'ocpp1.6', request: 'x'.repeat(5_000) }).length).toBeLessThan(200);
  });
});
