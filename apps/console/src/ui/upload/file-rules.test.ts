import { all } from '@voltdeck/phrases/zh-CN/all';
import { beforeAll, describe, expect, test } from 'vitest';
import { learnPhrases } from '../../phrases.ts';
import { acceptOf, fileFault, megabytesText, typesText } from './file-rules.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

beforeAll(() => learnPhrases(all));

describe('a file that is too large is refused before it is sent', () => {
  test('a picture over 5 MB in the editor is refused in the words of specification section 8', () => {
    const over = { type: 'image/png', size: 5 * megabyte + 1 };
    expect(fileFault(over, 'editor')).toBe('上传文件大小不能超过 5 MB!');
    expect(fileFault({ ...over, size: 5 * megabyte }, 'editor')).toBeNull();
  });

  test('a picture over 500 kB for a site is refused (specification section 5)', () => {
    expect(fileFault({ type: 'image/jpeg', size: 500 * kilobyte + 1 }, 'site')).toBe('上传文件大小不能超过 0.5 MB!');
    expect(fileFault({ type: 'image/jpeg', size: 500 * kilobyte }, 'site')).toBeNull();
  });
});

describe('a file of the wrong type', () => {
  test('a file of the wrong type is refused with the accepted types: jpg and png for a site (specification section 5)', () => {
    expect(fileFault({ type: 'image/gif', size: 10 }, 'site')).toBe('不支持该文件类型，请上传 JPG、PNG');
    expect(fileFault({ type: 'image/svg+xml', size: 10 }, 'editor')).toContain('JPG、PNG、WebP');
  });

  test('a file of the wrong type is left to the server if the browser knows no type, and documents accept every type', () => {
    expect(fileFault({ type: '', size: 10 }, 'site')).toBeNull();
    expect(fileFault({ type: 'application/x-anything', size: 10 }, 'document')).toBeNull();
  });
});

test('an empty file is refused', () => {
  expect(fileFault({ type: 'application/pdf', size: 0 }, 'document')).toBe('文件已损坏或无法识别');
});

test('limits and types have one wording', () => {
  expect([megabytesText(500 * kilobyte), megabytesText(50 * megabyte)]).toEqual(['0.5', '50']);
  expect(acceptOf('site')).toBe('image/jpeg,image/png');
  expect([acceptOf('document'), typesText('document')]).toEqual([undefined, null]);
});
