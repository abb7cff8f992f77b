import { expect, test } from 'vitest';
import { maskFields } from './mask-fields.ts';

const card = 'A1B2C3D4E5F60718';

test.each([
  ['a phone within a text', { remark: 'call 13800138000' }, { remark: 'call 138****8000' }],
  ['a card within a text', { remark: `${card}, lost` }, { remark: 'A1B2********0718, lost' }],
  [
    'a plate and a VIN',
    { plate: '浙AD12345', vin: 'LSVAM4187C2184847' },
    { plate: '浙A****45', vin: 'LSVA*********4847' },
  ],
  ['a searched frame', { query: { text: `"idTag":"${card}"` } }, { query: { text: '"idTag":"A1B2********0718"' } }],
  ['a searched part of a phone', { query: { text: '1371234567' } }, { query: { text: '13******67' } }],
  ['bytes of a frame', { payload: { hex: `01${card}02` } }, { payload: { hex: '01A1************1802' } }],
  ['a mail address', { email: 'wang@example.com' }, { email: 'w***@example.com' }],
  ['a bank account', { bankAccount: '6222021234567890' }, { bankAccount: '6222********7890' }],
  ['the account of a charge', { account: '0000000012345678' }, { account: '0000********5678' }],
])('%s is masked', (_what, value, masked) => {
  expect(maskFields(value)).toEqual(masked);
});

test('longer numbers stay as they are', () => {
  const other = { stationNumber: '32010200000001', number: '202611210000010001', note: 'E0123 at 1763697600000' };
  expect(maskFields(other)).toEqual(other);
});
