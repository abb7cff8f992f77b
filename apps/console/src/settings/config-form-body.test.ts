import type { Config } from '@voltdeck/contract/settings';
import { describe, expect, test } from 'vitest';
import { bodyOf, changeOf, needsValue, valuesOf } from './config-form-body.ts';

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

describe('the value of a secret', () => {
  test('the value of a secret is not in the form, and left empty it is not sent', () => {
    const values = valuesOf(config());
    expect(values.value).toBe('');
    expect(changeOf(config(), values)).not.toHaveProperty('value');
  });

  test('the value of a secret is sent when a new one was entered', () => {
    expect(changeOf(config(), { ...valuesOf(config()), value: 'new' })).toMatchObject({ id: 7, value: 'new' });
  });

  test('the value of a secret has to be entered again when it is to be one no longer', () => {
    expect(needsValue(config(), false)).toBe(true);
    expect([
      needsValue(config(), true),
      needsValue(config({ hasValue: false }), false),
      needsValue(null, false),
    ]).toEqual([false, false, false]);
  });
});

test('an open value may be emptied', () => {
  const open = config({ secret: false, value: '深圳' });
  expect(changeOf(open, { ...valuesOf(open), value: '' })).toMatchObject({ value: '' });
});

test('a secret is never public', () => {
  expect(bodyOf({ name: 'a', key: 'a', secret: true, public: true }).public).toBe(false);
  expect(bodyOf({ name: ' a ', key: ' a ', public: true })).toEqual({
    name: 'a',
    key: 'a',
    value: '',
    remark: '',
    secret: false,
    public: true,
  });
});
