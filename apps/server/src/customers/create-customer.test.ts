import { dayMs, instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { takenPhonesPerDayMax } from './create-customer.ts';

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
  api.clock.now = instant(Date.parse('2026-11-21T04:00:00Z'));
});
afterEach(() => api.close());

const phoneOf = (index: number) => String(13_800_000_000 + index);
const add = async (phone: string, token?: string) => {
  const answer = await api.post('/customers', { phone, nickname: 'Li' }, token === undefined ? {} : { token });
  return answer.envelope.message.error ?? 'added';
};

test('an agent learns of twenty taken phones a day, and then cannot tell taken from free', async () => {
  for (let index = 0; index <= takenPhonesPerDayMax; index += 1) expect(await add(phoneOf(index))).toBe('added');
  const agentId = await api.addAgent('West');
  const { token } = await api.addUser({ name: 'li', permissions: ['customer.edit'], scope: 'agent', agentId });
  for (let index = 0; index < takenPhonesPerDayMax; index += 1) {
    expect(await add(phoneOf(100 + index), token)).toBe('added');
    expect(await add(phoneOf(index), token)).toBe('customer.phone_taken');
  }
  expect(await add(phoneOf(takenPhonesPerDayMax), token)).toBe('request.too_many');
  expect(await add(phoneOf(999), token)).toBe('request.too_many');
  api.clock.now = instant((api.clock.now ?? 0) + dayMs);
  const again = await api.logIn('li', 'staple-me-gently');
  expect(await add(phoneOf(999), again.data.token)).toBe('added');
});

test('the platform’s own people add as many customers as they like', async () => {
  await add(phoneOf(1));
  for (let index = 0; index <= takenPhonesPerDayMax; index += 1) {
    expect(await add(phoneOf(1))).toBe('customer.phone_taken');
  }
});
