import type { Config } from '@voltdeck/contract/settings';
import { describe, expect, test } from 'vitest';
import { needsValue, sentConfig } from './config-form-body.ts';

const config = (part: Partial<Config> = {}): Config => ({
  id: 7 as Config['id'],
  name: '短信密钥',
  key: 'sms.secret',
  value: '',
  hasValue: true,
  remark: '',
  public: false,
  secret: true,
  builtIn: false,
  changedAt: '2026-11-21T02:00:00.000Z',
  ...part,
});

const body = { name: 'a', key: 'a', value: '', secret: true, public: false };

describe('the value of a secret', () => {
  test('the value of a secret is not sent when its field is empty', () => {
    expect(sentConfig(config(), body)).not.toHaveProperty('value');
  });

  test('the value of a secret is sent when a new one was entered', () => {
    expect(sentConfig(config(), { ...body, value: 'new' })).toMatchObject({ value: 'new' });
  });

  test('the value of a secret has to be entered again when it becomes open', () => {
    expect(needsValue(config(), false)).toBe(true);
    expect([
      needsValue(config(), true),
      needsValue(config({ hasValue: false }), false),
      needsValue(null, false),
    ]).toEqual([false, false, false]);
  });
});

test('an open value may be emptied', () => {
  expect(sentConfig(config({ secret: false, value: '深圳' }), { ...body, secret: false })).toMatchObject({ value: '' });
});

test('a secret is never public', () => {
  expect(sentConfig(null, { ...body, public: true }).public).toBe(false);
  expect(sentConfig(null, { ...body, secret: false, public: true }).public).toBe(true);
});
