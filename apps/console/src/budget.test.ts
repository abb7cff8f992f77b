import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const kibibyte = 1024;
const loginMaxKib = 70;
const listMaxKib = 350;
/** What opening a second list may cost. */
const nextListMaxKib = 60;

type Chunk = { file: string; imports?: string[]; css?: string[] };
type Manifest = Readonly<Record<string, Chunk>>;

/** The files that a browser needs to run these modules: the modules, their imports and their styles. */
function filesOf(manifest: Manifest, ...entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`the build has no ${key}`);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    waiting.push(...(chunk.imports ?? []));
  }
  return files;
}

function compressedKib(files: ReadonlySet<string>, bytesOf: (file: string) => number): number {
  return [...files].reduce((sum, file) => sum + bytesOf(file), 0) / kibibyte;
}

/** The build's manifest. @throws Error when there is no build. */
function readManifest(): Manifest {
  const path = `${dist}.vite/manifest.json`;
  if (!existsSync(path)) throw new Error('there is no build to measure: run "vite build" in apps/console first');
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
/** As the server sends it: the compressed file if there is one. */
const bytesSent = (file: string) => statSync(existsSync(`${dist}${file}.br`) ? `${dist}${file}.br` : dist + file).size;

describe('measuring', () => {
  const manifest: Manifest = {
    a: { file: 'a.js', imports: ['b'], css: ['a.css'] },
    b: { file: 'b.js', imports: ['a'] },
    c: { file: 'c.js' },
  };

  test('a measurement counts every file once, circles included', () => {
    expect([...filesOf(manifest, 'a', 'b')].sort()).toEqual(['a.css', 'a.js', 'b.js']);
  });

  test('a measurement finds what is too large', () => {
    expect(compressedKib(new Set(['a.js', 'b.js']), () => 50 * kibibyte)).toBeGreaterThan(loginMaxKib);
  });
});

describe('compressed scripts and styles', () => {
  test(`compressed scripts and styles of the sign-in page stay within ${loginMaxKib} KiB, without the component kit`, () => {
    const files = filesOf(readManifest(), 'index.html');
    expect(compressedKib(files, bytesSent)).toBeLessThanOrEqual(loginMaxKib);
    for (const file of files) expect(readFileSync(dist + file).toString()).not.toContain('ant-btn');
  });

  test.each([
    ['src/stations/StationListPage.tsx', ['stations', 'orders']],
    ['src/stations/ConnectorListPage.tsx', ['stations', 'orders']],
    ['src/orders/RealOrderListPage.tsx', ['orders']],
    ['src/orders/OrderHistoryPage.tsx', ['orders']],
    ['src/settings/ConfigListPage.tsx', ['settings']],
    ['src/content/FeedbackListPage.tsx', ['content']],
    ['src/content/AdvertListPage.tsx', ['content']],
    ['src/content/ArticleListPage.tsx', ['content']],
    ['src/content/FileListPage.tsx', ['content']],
  ])(`compressed scripts and styles of a first visit to %s stay within ${listMaxKib} KiB`, (page, words) => {
    const manifest = readManifest();
    const chinese = Object.keys(manifest).filter((key) =>
      new RegExp(`phrases/src/zh-CN/(core|${words.join('|')})\\.ts|antd/es/locale/zh_CN`).test(key),
    );
    expect(chinese).toHaveLength(words.length + 2);
    const files = filesOf(manifest, 'index.html', 'src/shell/console.tsx', ...chinese, page);
    expect(compressedKib(files, bytesSent)).toBeLessThanOrEqual(listMaxKib);
  });

  test(`compressed scripts and styles that a list needs beyond any other list stay within ${nextListMaxKib} KiB of scripts`, () => {
    const manifest = readManifest();
    const lists = Object.keys(manifest).filter((key) => /^src\/.*(ListPage|LogPage|HistoryPage)\.tsx$/.test(key));
    expect(lists.length).toBeGreaterThan(10);
    const scriptsOf = (page: string) =>
      new Set(
        [...filesOf(manifest, 'index.html', 'src/shell/console.tsx', page)].filter((file) => file.endsWith('.js')),
      );
    const costs = lists.flatMap((page) =>
      lists
        .filter((other) => other !== page)
        .map((other) => {
          const kib = compressedKib(
            new Set([...scriptsOf(page)].filter((file) => !scriptsOf(other).has(file))),
            bytesSent,
          );
          return { page, other, kib: Math.round(kib * 10) / 10 };
        }),
    );
    expect(costs.filter(({ kib }) => kib > nextListMaxKib)).toEqual([]);
    // A list that costs nothing was not measured correctly.
    expect(costs.filter(({ kib }) => kib === 0)).toEqual([]);
  });
});
