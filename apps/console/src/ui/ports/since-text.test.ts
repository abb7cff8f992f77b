import { all as english } from '@voltdeck/phrases/en/all';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import { expect, test } from 'vitest';
import { learnPhrases } from '../../phrases.ts';
import { sinceText } from './since-text.ts';

test.each([
  [0, '0 分钟', '0 min'],
  [59, '59 分钟', '59 min'],
  [60, '1 小时 0 分钟', '1 h 0 min'],
  [1_439, '23 小时 59 分钟', '23 h 59 min'],
  [1_440, '1 天', '1 d'],
  [24_536, '17 天', '17 d'],
])('a port that has been as it is for %i minutes says so in minutes, hours or days', (minutes, zh, en) => {
  learnPhrases(chinese);
  expect(sinceText(minutes)).toBe(zh);
  learnPhrases(english);
  expect(sinceText(minutes)).toBe(en);
});
