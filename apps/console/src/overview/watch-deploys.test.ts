import { expect, test } from 'vitest';
import { entryFileOf, isOtherVersion } from './watch-deploys.ts';

const page = (file: string) =>
  `<!doctype html><html><head><script>early()</script><script type="module" crossorigin src="${file}"></script></head>`;

test('the file that a page begins with is found among its other scripts', () => {
  expect(entryFileOf(page('/assets/index-abc.js'))).toBe('/assets/index-abc.js');
  expect(entryFileOf('<script type="module">inline()</script>')).toBeNull();
  expect(entryFileOf('Bad gateway')).toBeNull();
});

test('only a page of ours with another file is another version; what a proxy answers during a restart is none', () => {
  const own = '/assets/index-abc.js';
  expect(isOtherVersion(own, page(own))).toBe(false);
  expect(isOtherVersion(own, page('/assets/index-def.js'))).toBe(true);
  expect(isOtherVersion(own, '<h1>502 Bad Gateway</h1>')).toBe(false);
  expect(isOtherVersion(null, page(own))).toBe(false);
});
