import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './secret-fields.ts';

const keys = ['operator-$&-secret', 'short', '0123456789abcdef', 'fedcba9876543210'];

describe('what is kept of what partners said', () => {
  test.each([
    ['{"OperatorSecret":"x"}', '{"OperatorSecret":"***"}'],
    ['{"operatorSecret" : "a\\"b","AccessToken":"t"}', '{"operatorSecret" : "***","AccessToken":"***"}'],
    ['{"ACCESS_TOKEN":""}', '{"ACCESS_TOKEN":"***"}'],
  ])('%s is kept as %s, whoever the keys are from', (text, kept) => {
    expect(withoutSecrets(text)).toBe(kept);
  });

  test('a key or a token that is repeated elsewhere is struck out, and the rest stays', () => {
    const text = 'secret operator-$&-secret is wrong for 0123456789abcdef / fedcba9876543210, token tok-12345 expired';
    expect(withoutSecrets(text, [...keys, 'tok-12345'])).toBe('secret *** is wrong for *** / ***, token *** expired');
  });

  test('a short key is struck out of its field alone', () => {
    expect(withoutSecrets('a short answer', keys)).toBe('a short answer');
  });
});
