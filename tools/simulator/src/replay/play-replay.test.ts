import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFrame } from '@voltdeck/ykc/frame';
import { toHex } from '@voltdeck/ykc/hex';
import type { Message } from '@voltdeck/ykc/messages/all';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptedClock, scriptedClock } from '../clock.ts';
import { openCentralSystem } from '../test-central-system.ts';
import { VirtualStation } from '../virtual-station.ts';
import { openPlatform } from '../ykc/test-platform.ts';
import { VirtualPile } from '../ykc/virtual-pile.ts';
import type { Exchange } from './conversation.ts';
import { playReplay } from './play-replay.ts';

const noon = Date.UTC(2026, 10, 21, 4);
const number = '44030601000001';
let folder: string;
let clock: ScriptedClock;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-replay-'));
  clock = scriptedClock(noon);
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function save(protocol: 'ocpp1.6' | 'ykc', stationNumber: string, exchanges: readonly Exchange[]) {
  const file = join(folder, 'conversation.json');
  const rows = exchanges.map((each) => ({ ...each, at: new Date(each.at).toISOString() }));
  await writeFile(file, JSON.stringify({ version: 1, protocol, stationNumber, isCut: false, exchanges: rows }));
  return file;
}

/** Plays a file against a server to its end. */
async function replay(file: string, url: string, options: { fast?: boolean; station?: string } = {}) {
  let over = false;
  const promise = playReplay(
    {
      file,
      url,
      station: options.station ?? '',
      isStationGiven: options.station !== undefined,
      password: undefined,
      fast: options.fast ?? true,
    },
    { clock, say: (line) => lines.push(line), signal: new AbortController().signal },
  ).finally(() => {
    over = true;
  });
  // A scripted clock does not wait for the file to be read.
  while (!over) {
    await clock.playUntil(() => over, 3_600_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}

describe('a recorded YKC charge', () => {
  /** A charge by card, as a server would log it. */
  async function record(): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    const platform = await openPlatform();
    const station = new VirtualPile({ url: platform.url, number, connectors: 1, kind: 'dc', maxPowerKw: 60, clock });
    const waiting: { sequence: string; exchange: Exchange }[] = [];
    station.on((news) => {
      if (news.kind === 'frame-sent') {
        const action = `0x${news.text.slice(10, 12)}`;
        const exchange: Exchange = {
          at: clock.now(),
          direction: 'from-station',
          action,
          request: news.text,
          answer: null,
        };
        exchanges.push(exchange);
        waiting.push({ sequence: news.text.slice(4, 8), exchange });
      }
      if (news.kind === 'frame-received') {
        const sequence = news.text.slice(4, 8);
        const asked = waiting.findLast((each) => each.sequence === sequence);
        if (asked !== undefined) asked.exchange.answer = news.text;
      }
    });
    station.start();
    await clock.playUntil(() => station.isOnline, 60_000);
    station.plugIn(1);
    await station.swipeCard(1, 'D1C0FFEE');
    await clock.play(60_000);
    await station.swipeCard(1, 'D1C0FFEE');
    await clock.play(20_000);
    await station.stop();
    await platform.close();
    return exchanges;
  }

  test("a recorded YKC charge is replayed to another server in the same words, with that server's number", async () => {
    const file = await save('ykc', number, await record());
    const platform = await openPlatform();
    platform.nextTradeNo(number, 1);
    expect(await replay(file, platform.url)).toMatchObject({ ok: true });
    expect(lines.slice(1)).toEqual([]);
    const [bill] = platform.of('transaction-record');
    expect(bill?.tradeNo).toBe(`${number}01${'261121120000'}0002`);
    expect(platform.of('realtime-data').filter(({ tradeNo }) => tradeNo === bill?.tradeNo).length).toBeGreaterThan(3);
    expect(platform.heard.map(({ sequence }) => sequence)).toEqual(platform.heard.map((_, index) => index));
    expect(platform.faults + platform.skipped).toBe(0);
    await platform.close();
  });

  test('a recorded YKC charge can be replayed as another station, at its original pace', async () => {
    const file = await save('ykc', number, await record());
    const platform = await openPlatform();
    const beganAt = clock.now();
    expect(await replay(file, platform.url, { station: '33010000000009', fast: false })).toMatchObject({ ok: true });
    expect(clock.now() - beganAt).toBeGreaterThan(70_000);
    expect(new Set(platform.of('realtime-data').map(({ pileNo }) => pileNo))).toEqual(new Set(['33010000000009']));
    await platform.close();
  });

  test('a recorded YKC charge fails where an answer differs in what matters, and only reports other differences', async () => {
    const file = await save('ykc', number, await record());
    const answering = (authOk: number, balance: number) => (message: Message) =>
      message.kind === 'charge-application'
        ? ({
            kind: 'charge-application-answer',
            tradeNo: `${number}012611211200000042`,
            pileNo: number,
            gunNo: 1,
            logicCardNo: '8800000000000001',
            balance,
            authOk,
            failReason: authOk === 1 ? 0 : 3,
          } as const)
        : undefined;
    const poorer = await openPlatform(answering(1, 7));
    expect(await replay(file, poorer.url)).toMatchObject({ ok: true });
    expect(lines.slice(1)).toEqual(['~ 0x31 balance: 100000 then, 7 now']);
    await poorer.close();
    const refusing = await openPlatform(answering(0, 100_000));
    expect(await replay(file, refusing.url)).toEqual({
      ok: false,
      error: expect.stringMatching(/1 answers differ in what matters, 0 are missing/),
    });
    expect(lines).toContain('≠ 0x31 authOk: 1 then, 0 now');
    await refusing.close();
  });

  test("a recorded YKC charge answers the server's requests as recorded, under the new numbers", async () => {
    const hex = (message: Message, sequence: number) => toHex(writeFrame(message, sequence));
    const oldTrade = `${number}012611200900000001`;
    const start = {
      tradeNo: oldTrade,
      pileNo: number,
      gunNo: 1,
      logicCardNo: '0'.repeat(16),
      physCardNo: '0'.repeat(16),
    };
    const reply = { tradeNo: oldTrade, pileNo: number, gunNo: 1, result: 1, failReason: 0 };
    const heartbeat = { kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 } as const;
    const beat = (at: number): Exchange => ({
      at,
      direction: 'from-station',
      action: '0x03',
      request: hex(heartbeat, 9),
      answer: hex({ kind: 'heartbeat-answer', pileNo: number, gunNo: 1, answer: 0 }, 9),
    });
    const file = await save('ykc', number, [
      beat(0),
      {
        at: 1_000,
        direction: 'to-station',
        action: '0x34',
        request: hex({ kind: 'remote-start', ...start, balance: 1_000 }, 4),
        answer: hex({ kind: 'remote-start-reply', ...reply }, 4),
      },
      beat(2_000),
    ]);
    const newTrade = `${number}012611219900000099`;
    let sequence = -1;
    const platform = await openPlatform((message) => {
      // It arrives earlier than in the recording.
      if (message.kind === 'heartbeat' && sequence === -1) {
        sequence = platform.send({ kind: 'remote-start', ...start, tradeNo: newTrade, balance: 500 });
      }
      return undefined;
    });
    expect(await replay(file, platform.url)).toMatchObject({ ok: true });
    await expect.poll(() => platform.of('remote-start-reply').length, { timeout: 30_000 }).toBe(1);
    expect(platform.of('remote-start-reply')[0]).toMatchObject({ tradeNo: newTrade, result: 1 });
    expect(platform.heard.find(({ message }) => message.kind === 'remote-start-reply')?.sequence).toBe(sequence);
    // The recording starts after the login, so the replay logs in by itself.
    expect(platform.kinds()[0]).toBe('login');
    await platform.close();
  });
});

describe('a recorded OCPP charge', () => {
  async function record(): Promise<Exchange[]> {
    const exchanges = new Map<string, Exchange>();
    const central = await openCentralSystem();
    const station = new VirtualStation({
      url: central.url,
      number: 'CD-1',
      connectors: 1,
      kind: 'dc',
      maxPowerKw: 60,
      clock,
    });
    station.on((news) => {
      if (news.kind !== 'frame-sent' && news.kind !== 'frame-received') return;
      const [type, id, action] = JSON.parse(news.text) as [number, string, string];
      if (news.kind === 'frame-sent' && type === 2) {
        exchanges.set(id, { at: clock.now(), direction: 'from-station', action, request: news.text, answer: null });
      }
      const asked = exchanges.get(id);
      if (news.kind === 'frame-received' && asked !== undefined) asked.answer = news.text;
    });
    station.start();
    await clock.playUntil(() => station.isOnline, 60_000);
    station.plugIn(1);
    await station.swipeCard(1, 'CARD-1');
    await clock.play(5 * 60_000);
    await station.swipeCard(1, 'CARD-1');
    await clock.settle();
    await station.stop();
    await central.close();
    return [...exchanges.values()];
  }

  test("a recorded OCPP charge is replayed to another server in the same words, with that server's number", async () => {
    const file = await save('ocpp1.6', 'CD-1', await record());
    const central = await openCentralSystem((call) =>
      call.action === 'StartTransaction' ? { transactionId: 77, idTagInfo: { status: 'Accepted' } } : undefined,
    );
    expect(await replay(file, central.url, { station: 'CD-2' })).toMatchObject({ ok: true });
    expect(lines.slice(1)).toEqual([]);
    expect(central.of('StopTransaction')).toMatchObject([{ transactionId: 77 }]);
    expect(central.of('MeterValues').every(({ transactionId }) => transactionId === 77)).toBe(true);
    expect(central.heard.every(({ station }) => station === 'CD-2')).toBe(true);
    expect(central.invalid).toEqual([]);
    await central.close();
  });

  test('a recorded OCPP charge fails where an answer differs in what matters', async () => {
    const file = await save('ocpp1.6', 'CD-1', await record());
    const central = await openCentralSystem((call) =>
      call.action === 'Authorize' ? { idTagInfo: { status: 'Blocked' } } : undefined,
    );
    expect(await replay(file, central.url)).toMatchObject({ ok: false });
    expect(lines).toContain('≠ Authorize payload.idTagInfo.status: "Accepted" then, "Blocked" now');
    await central.close();
  });
});

describe('a file', () => {
  test.each([
    ['{', /not JSON/],
    ['[]', /not a saved conversation/],
    ['{"version":2}', /version 1/],
    ['{"version":1,"protocol":"mqtt"}', /no protocol mqtt/],
    ['{"version":1,"protocol":"ykc","stationNumber":"44030601000001","exchanges":[{}]}', /exchange 0 is not one/],
    ['{"version":1,"protocol":"ykc","stationNumber":"44030601000001","exchanges":[]}', /needs another --url/],
  ])('a file that says %s is refused in one line', async (text, message) => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, text);
    const outcome = await replay(file, 'ws://127.0.0.1:1/ocpp');
    expect(outcome.ok ? '' : outcome.error).toMatch(message);
  });

  test('a missing file is refused in one line', async () => {
    const outcome = await replay(join(folder, 'none.json'), '');
    expect(outcome.ok ? '' : outcome.error).toMatch(/cannot be read \(ENOENT\)/);
  });
});
