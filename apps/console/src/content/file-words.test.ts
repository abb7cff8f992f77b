import { all } from '@voltdeck/phrases/en/all';
import { beforeAll, expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { isPicture, typeText } from './file-words.ts';

beforeAll(() => learnPhrases(all));

test.each([
  ['image/jpeg', 'a.jpg', 'JPG picture'],
  ['application/pdf', 'manual', 'PDF document'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a.docx', 'Word document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a.xlsx', 'Excel sheet'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'a.pptx', 'Slides'],
  ['application/zip', 'a.zip', 'Archive'],
  ['text/plain', 'a.txt', 'Text'],
  ['application/octet-stream', 'firmware.bin', 'BIN file'],
  ['application/octet-stream', 'firmware', 'File'],
  ['application/octet-stream', 'a.thisisnotone', 'File'],
])('%s called %s is shown as %s', (contentType, name, text) => expect(typeText({ contentType, name })).toBe(text));

test('only a file that a browser can draw is a picture', () => {
  expect(isPicture({ contentType: 'image/png' })).toBe(true);
  expect(isPicture({ contentType: 'image/svg+xml' })).toBe(false);
});
