import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBenchArguments } from './bench-arguments.ts';
import { demandKeys, operatorKeys } from './test-benches.ts';

let folder: string;
let keys: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'));
  keys = join(folder, 'keys.json');
  await writeFile(keys, JSON.stringify({ theirs: operatorKeys, ours: demandKeys }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const usual = () => [
  ...['--role', 'demand', '--url', 'http://127.0.0.1:8080/evcs/v1.0/', '--keys', keys],
  ...['--operator', 'MA0BENCHD', '--their-operator', 'MA0BENCHO'],
];

test('a command line names the tested server, both codes and the keys of both directions', () => {
  expect(readBenchArguments(usual())).toMatchObject({
    ok: true,
    value: {
      settings: {
        role: 'demand',
        url: 'http://127.0.0.1:8080/evcs/v1.0',
        theirKeys: operatorKeys,
        ourKeys: demandKeys,
      },
      pagePort: null,
      reports: [],
    },
  });
  const more = readBenchArguments([...usual(), '--report', 'a.html', '--report', 'b.md', '--page', '0', '--slow']);
  expect(more).toMatchObject({
    ok: true,
    value: { reports: [{ form: '.html' }, { form: '.md' }], pagePort: 0, isSlowToo: true },
  });
});

test('one set of keys serves both directions', async () => {
  const file = join(folder, 'one.json');
  await writeFile(file, JSON.stringify(operatorKeys));
  expect(readBenchArguments([...usual(), '--keys', file])).toMatchObject({
    ok: true,
    value: { settings: { theirKeys: operatorKeys, ourKeys: operatorKeys } },
  });
});

test.each([
  [['--role', 'both'], '--role is operator or demand, got both'],
  [['--url', 'example.com'], '--url starts with http:// or https://'],
  [['--operator', 'short'], '--operator has 9 letters and digits, got short'],
  [['--port', '70000'], '--port is a whole number from 0 to 65535'],
  [['--hurry', '0'], '--hurry is a whole number from 1 to 100'],
  [['--page', 'x'], '--page is a whole number from 0 to 65535'],
  [['--report', 'a.pdf'], '--report ends with .md, .json, .html, got a.pdf'],
  [['--language', 'de'], '--language is zh-CN or en, got de'],
])('%j is refused with the name of the option', (argv, error) => {
  expect(readBenchArguments([...usual(), ...argv])).toEqual({ ok: false, error });
});

test('a file of keys that cannot be used is refused without showing what is in it', async () => {
  const file = join(folder, 'broken.json');
  await writeFile(file, JSON.stringify({ ...operatorKeys, dataSecret: 'too-short' }));
  const short = readBenchArguments([...usual(), '--keys', file]);
  expect(short).toEqual({ ok: false, error: '--keys: theirs.dataSecret wrong-length' });
  await writeFile(file, '{"sigSecret": top-secret');
  const broken = readBenchArguments([...usual(), '--keys', file]);
  expect(broken).toEqual({ ok: false, error: `--keys ${file}: is no JSON` });
});
