import { expect, test } from 'vitest';
import { offersUnlock } from './offers-unlock.ts';

test('a gun port is offered to be unlocked where its protocol has the command, and nowhere else', () => {
  expect(offersUnlock({ stationProtocol: 'ocpp1.6' })).toBe(true);
  expect(offersUnlock({ stationProtocol: 'ykc' })).toBe(false);
});
