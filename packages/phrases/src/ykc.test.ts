import { everyPhraseKey } from '@voltdeck/ykc/phrase-keys';
import { describe, expect, test } from 'vitest';
import { ykc as en } from './en/ykc.ts';
import { ykc as zh } from './zh-CN/ykc.ts';

describe('the words of YKC', () => {
  test.each([
    ['Chinese', zh],
    ['English', en],
  ])('name every message, field, unit and meaning of its tables in %s, and nothing else', (_language, phrases) => {
    expect(Object.keys(phrases).sort()).toEqual([...everyPhraseKey()].sort());
  });
});
