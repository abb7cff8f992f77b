import { enumerations } from '@voltdeck/ocpp16/phrase-keys';
import { all as english } from '@voltdeck/phrases/en/all';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import { hardwareFaults } from '@voltdeck/ykc/messages/bits';
import { expect, test } from 'vitest';
import { learnPhrases } from '../../phrases.ts';
import { faultText } from './fault-text.ts';

test.each([english, chinese])('every fault that a protocol defines has a phrase', (phrases) => {
  learnPhrases(phrases);
  for (const code of enumerations.errorCode.filter((each) => each !== 'NoError')) {
    expect(faultText({ faultCode: code, faultInfo: null })).not.toBe(code);
  }
  for (const { key } of hardwareFaults.items) {
    expect(faultText({ faultCode: null, faultInfo: key })).not.toBe(key);
  }
});

test("a fault shows its phrase first and the maker's text after it", () => {
  learnPhrases(chinese);
  expect(faultText({ faultCode: '0x0041', faultInfo: 'emergency-stop, meter-lost' })).toBe(
    '急停按钮动作、电表通信丢失 · 0x0041',
  );
  expect(faultText({ faultCode: 'GroundFailure', faultInfo: 'residual current 38 mA' })).toBe(
    '接地故障 · residual current 38 mA',
  );
  expect(faultText({ faultCode: null, faultInfo: null })).toBe('');
});
