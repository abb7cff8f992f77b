import { expect, test } from 'vitest';
import { maskPartnerText } from './mask-partner-text.ts';

test('people in an exchange are masked, whoever spells their fields how, and everything else stays', () => {
  const text =
    '{"StartChargeSeq":"MA0TEST01202611280001","PhoneNum":"13800005678","PlateNo" : "浙A12345","VIN":"LSVAU2180N2183294","TotalPower":12.5}';
  const masked = maskPartnerText(text);
  expect(masked).toContain('"StartChargeSeq":"MA0TEST01202611280001"');
  expect(masked).toContain('"PhoneNum":"138****5678"');
  expect(masked).toContain('"PlateNo" : "浙A***45"');
  expect(masked).not.toContain('LSVAU2180N2183294');
  expect(masked).toContain('"TotalPower":12.5');
});

test('a text that was cut within a number shows no more of it, and a phone under any other name is masked', () => {
  expect(maskPartnerText('{"Vin":"LSVAU2180N2183…')).not.toContain('LSVAU2180N2183');
  expect(maskPartnerText('no such user 13800005678')).toBe('no such user 138****5678');
});
