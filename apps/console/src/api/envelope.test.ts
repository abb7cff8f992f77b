import { describe, expect, test } from 'vitest';
import { isEnvelope, judge } from './envelope.ts';

const envelope = (status: number, code: number, data: unknown = null) => ({
  message: { status, code, message: 'said', requestId: 'r-1' },
  data,
});

describe('judge (specification section 8)', () => {
  test('status 200 with code 0 gives the data', () => {
    expect(judge(envelope(200, 0, { a: 1 }))).toEqual({ kind: 'accepted', data: { a: 1 } });
  });

  test.each([50008, 50012, 50014])('status %i is a lost session', (status) => {
    expect(judge(envelope(status, status)).kind).toBe('session-lost');
  });

  test('code 201 signs out, whatever the status', () => {
    expect(judge(envelope(200, 201)).kind).toBe('sign-out');
    expect(judge(envelope(401, 201)).kind).toBe('sign-out');
  });

  test.each([400, 403, 404, 422, 500, 503])('status %i is a refusal that keeps message and request id', (status) => {
    const verdict = judge(envelope(status, status));
    expect(verdict).toMatchObject({ kind: 'refused', refused: { message: 'said', status, requestId: 'r-1' } });
  });

  test('a code other than 0 is a refusal even with status 200', () => {
    expect(judge(envelope(200, 1)).kind).toBe('refused');
  });

  test('the message of a refusal is its data where that is a text (section 7, /changePwd), else its message', () => {
    const said = (data: unknown) => {
      const verdict = judge(envelope(422, 422, data));
      return verdict.kind === 'refused' && verdict.refused.message;
    };
    const { message } = envelope(422, 422).message;
    expect([said('the old one is wrong'), said(''), said(null), said({ a: 1 })]).toEqual([
      'the old one is wrong',
      message,
      message,
      message,
    ]);
  });

  test('the wait that the server asks for reaches the caller', () => {
    const verdict = judge(envelope(429, 429), 30);
    expect(verdict).toMatchObject({ refused: { retryAfterSeconds: 30 } });
  });
});

test('a page from another server is not an envelope', () => {
  for (const value of [null, 'text', 3, [], {}, { message: 'text' }, { message: { status: '200', code: 0 } }]) {
    expect(isEnvelope(value)).toBe(false);
  }
  expect(isEnvelope(envelope(200, 0))).toBe(true);
});
