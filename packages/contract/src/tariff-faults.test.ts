import { tariffFaultCodes as reported } from '@voltdeck/tariffs/check-tariff';
import { expect, test } from 'vitest';
import { tariffFaultCodes } from './tariff-faults.ts';

test('every fault that the tariffs package reports is a field fault', () => {
  expect([...tariffFaultCodes]).toEqual([...reported]);
});
