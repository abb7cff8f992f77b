import { expect, test } from 'vitest';
import { offersUnlock } from './offers-unlock.ts';

test('a gun port can be unlocked only if its protocol has the command', () => {
  expect(offersUnlock({ stationProtocol: 'ocpp1.6' })).toBe(true);
  expect(offersUnlock({ stationProtocol: 'ykc' })).toBe(false);
});
