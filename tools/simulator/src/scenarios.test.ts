import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Arguments, readArguments, usage } from './arguments.ts';
import { type ScriptedClock, scriptedClock } from './clock.ts';
import { scenarioNames } from './scenario-names.ts';
import { playScenario } from './scenarios.ts';
import { type CentralSystem, openCentralSystem } from './test-central-system.ts';
import { openPlatform, type TestPlatform } from './ykc/test-platform.ts';

let central: CentralSystem;
let clock: ScriptedClock;
let lines: string[];

beforeEach(async () => {
  central = await openCentralSystem();
  clock = scriptedClock(Date.UTC(2026, 10, 21, 4));
  lines = [];
});

afterEach(async () => {
  await central.close();
});

function chosen(argv: string[]): Arguments {
  const read = readArguments([...argv, '--url', central.url, '--minutes', '2', '--interval', '5']);
  if (!read.ok || read.value === 'help') throw new Error(read.ok ? 'help' : read.error);
  return read.value;
}

/** Plays until the scenario ends. */
async function play(argv: string[]) {
  const outcome = begin(argv);
  await clock.playUntil(outcome.isOver, 3_600_000);
  return outcome.promise;
}

function begin(argv: string[], signal = new AbortController().signal) {
  let over = false;
  const promise = playScenario(chosen(argv), { clock, say: (line) => lines.push(line), signal }).finally(() => {
    over = true;
  });
  return { promise, isOver: () => over };
}

describe('scenarios', () => {
  test.each(['charge', 'flap', 'power-cut', 'duplicates', 'clock-1970', 'rollback'])(
    '%s plays one charge to its end and reports each step',
    async (scenario) => {
      const outcome = await play([scenario]);
      expect(outcome).toMatchObject({ ok: true });
      const starts = central.of('StartTransaction');
      const stops = central.of('StopTransaction');
      expect(new Set(starts.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(new Set(stops.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(lines.join('\n')).toMatch(/boot Accepted[\s\S]*charge started[\s\S]*kW[\s\S]*charge ended/);
      expect(central.invalid).toEqual([]);
      expect(clock.pendingTimers()).toBe(0);
      const [start] = starts;
      const [stop] = stops;
      const energyWh = Number(stop?.meterStop) - Number(start?.meterStart);
      if (scenario === 'flap') expect(central.connections).toBeGreaterThan(1);
      if (scenario === 'power-cut') expect(stop?.reason).toBe('PowerLoss');
      if (scenario === 'duplicates') expect(starts).toHaveLength(3);
      if (scenario === 'clock-1970') expect(String(start?.timestamp)).toMatch(/^1970-01-01/);
      if (scenario === 'rollback') expect(energyWh).toBeLessThan(0);
      else expect(energyWh).toBeGreaterThan(0);
    },
  );

  test('the scenario remote waits for a remote start and charges', async () => {
    const { promise, isOver } = begin(['remote', '--card', 'CARD-7']);
    await clock.playUntil(() => lines.some((line) => /waiting for a remote start/.test(line)), 60_000);
    const answer = await central.command('SIM-0001', 'RemoteStartTransaction', { connectorId: 1, idTag: 'PHONE-1' });
    expect(answer.payload).toEqual({ status: 'Accepted' });
    await clock.playUntil(isOver, 3_600_000);
    expect(await promise).toMatchObject({ ok: true });
    expect(central.of('StartTransaction')).toMatchObject([{ idTag: 'PHONE-1' }]);
  });

  test('the scenario remote gives up when nobody starts, and an interruption ends it at once', async () => {
    expect(await play(['remote'])).toEqual({ ok: false, error: 'nobody started a charge' });
    const interrupted = new AbortController();
    const { promise } = begin(['remote'], interrupted.signal);
    interrupted.abort();
    expect(await promise).toMatchObject({ ok: false });
    expect(clock.pendingTimers()).toBe(0);
  });

  test('the scenario fleet starts the requested number of stations, counting from the first number', async () => {
    const outcome = await play(['fleet', '--count', '5', '--station', 'LAB-07', '--card', 'A', '--card', 'B']);
    expect(outcome.ok).toBe(true);
    const stations = new Set(central.heard.map(({ station }) => station));
    expect([...stations].filter((number) => !/^LAB-(0[7-9]|1[01])$/.test(number))).toEqual([]);
    expect(stations.size).toBeGreaterThanOrEqual(4);
  });

  test('a refused card is a failure with a message', async () => {
    await central.close();
    central = await openCentralSystem((call) =>
      call.action === 'Authorize' ? { idTagInfo: { status: 'Invalid' } } : undefined,
    );
    expect(await play(['charge'])).toEqual({ ok: false, error: 'card CARD-0001 was refused' });
  });
});

describe('the command line', () => {
  test('unplug and silent are scenarios of OCPP stations, too', async () => {
    expect(await play(['unplug'])).toMatchObject({ ok: true });
    expect(central.of('StopTransaction')).toMatchObject([{ reason: 'EVDisconnected' }]);
    expect(await play(['silent'])).toMatchObject({ ok: true });
    expect(central.of('Heartbeat')).toHaveLength(0);
  });

  test('help lists every scenario', () => {
    expect(readArguments([])).toEqual({ ok: true, value: 'help' });
    expect(readArguments(['--help'])).toEqual({ ok: true, value: 'help' });
    for (const name of scenarioNames) expect(usage).toContain(`\n  ${name} `);
  });

  test('the command line stays on loopback by default', () => {
    const read = readArguments(['charge']);
    expect(read).toMatchObject({ ok: true, value: { url: 'ws://127.0.0.1:8080/ocpp' } });
  });

  test.each([
    [['dance'], /no scenario dance/],
    [['charge', 'flap'], /one scenario/],
    [['charge', '--connector', '0'], /--connector is a whole number from 1 to 100, got 0/],
    [['charge', '--minutes', 'ten'], /--minutes is a number from 0.1 to 1440, got ten/],
    [['fleet', '--count', '6000'], /--count/],
    [['charge', '--kind', 'steam'], /--kind is dc, ac or two-wheel/],
    [['charge', '--url', 'http://x'], /--url/],
    [['charge', '--card', 'x'.repeat(21)], /--card/],
    [['charge', '--nonsense'], /nonsense/],
    [['vin'], /vin needs --protocol ykc/],
    [['charge', '--protocol', 'mqtt'], /--protocol is ocpp or ykc/],
    [['charge', '--protocol', 'ykc', '--url', 'ws://127.0.0.1:8080/ocpp'], /--url is tcp:/],
    [['charge', '--protocol', 'ykc', '--station', 'SIM-1'], /--station has 14 digits/],
    [['charge', '--protocol', 'ykc', '--kind', 'two-wheel'], /--kind is dc or ac/],
    [['charge', '--protocol', 'ykc', '--card', 'CARD-1'], /--card has 1 to 16 hexadecimal digits/],
    [['vin', '--protocol', 'ykc', '--vin', 'SHORT'], /--vin has 17/],
    [['replay'], /replay needs the file/],
  ])('%j is refused in one line', (argv, message) => {
    const read = readArguments(argv);
    expect(read.ok ? '' : read.error).toMatch(message);
  });

  test('the program runs a charge and exits with 0, and with 64 for a wrong option', async () => {
    const run = async (...argv: string[]) => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), ...argv]);
      let output = '';
      child.stdout.on('data', (data: Buffer) => {
        output += data.toString();
      });
      child.stderr.on('data', (data: Buffer) => {
        output += data.toString();
      });
      const [code] = await once(child, 'close');
      return { code, output };
    };
    const charged = await run('charge', '--url', central.url, '--minutes', '0.1', '--interval', '1');
    expect(charged.output).toMatch(/SIM-0001 charged \d+ Wh and everything was delivered/);
    expect(charged.code).toBe(0);
    expect((await run('charge', '--count', 'x')).code).toBe(64);
    expect((await run('--help')).output).toContain('power-cut');
  }, 30_000);
});

describe('scenarios with --protocol ykc', () => {
  let platform: TestPlatform;

  beforeEach(async () => {
    platform = await openPlatform();
  });
  afterEach(async () => {
    await platform.close();
  });

  const playYkc = async (scenario: string) => {
    const read = readArguments([scenario, '--protocol', 'ykc', '--url', platform.url]);
    if (!read.ok || read.value === 'help') throw new Error(read.ok ? 'help' : read.error);
    let over = false;
    const promise = playScenario(read.value, {
      clock,
      say: (line) => lines.push(line),
      signal: new AbortController().signal,
    }).finally(() => {
      over = true;
    });
    await clock.playUntil(() => over, 3_600_000);
    return promise;
  };

  test.each([
    ['charge', 0x45],
    ['flap', 0x45],
    ['power-cut', 0x83],
    ['duplicates', 0x45],
    ['clock-1970', 0x45],
    ['rollback', 0x45],
    ['unplug', 0x6b],
    ['silent', 0x45],
    ['vin', 0x45],
    ['parallel', 0x45],
    ['crc-high-first', 0x45],
    ['garbage', 0x45],
    ['wrong-amount', 0x45],
  ])('%s plays one charge to its record', async (scenario, stopReason) => {
    expect(await playYkc(scenario)).toMatchObject({ ok: true });
    const records = platform.of('transaction-record');
    const trades = new Set(records.map(({ tradeNo }) => tradeNo));
    expect(trades.size).toBe(scenario === 'parallel' ? 2 : 1);
    expect(records[0]).toMatchObject({ stopReason });
    expect(records[0]?.totalEnergy).toBeGreaterThan(0);
    expect(lines.join('\n')).toMatch(/boot Accepted[\s\S]*model 0007[\s\S]*charge started[\s\S]*charge ended/);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('offline-card waits for the whitelist and charges without the network', async () => {
    const read = readArguments(['offline-card', '--protocol', 'ykc', '--url', platform.url]);
    if (!read.ok || read.value === 'help') throw new Error('it is right');
    let over = false;
    const promise = playScenario(read.value, {
      clock,
      say: (line) => lines.push(line),
      signal: new AbortController().signal,
    }).finally(() => {
      over = true;
    });
    await clock.playUntil(() => lines.some((line) => /waiting until a card/.test(line)), 60_000);
    const cards = [{ logicCardNo: '8800000000000001', physCardNo: '00000000D1C0FFEE' }];
    platform.send({ kind: 'offline-card-sync', pileNo: '44030601000001', cards });
    await expect.poll(() => platform.of('offline-card-sync-reply').length, { timeout: 30_000 }).toBe(1);
    await clock.playUntil(() => over, 3_600_000);
    expect(await promise).toMatchObject({ ok: true });
    expect(platform.of('transaction-record')[0]).toMatchObject({ startFlag: 4 });
  });

  test('a refused station reports that', async () => {
    await platform.close();
    platform = await openPlatform((message) =>
      message.kind === 'login' ? { kind: 'login-answer', pileNo: message.pileNo, result: 1 } : undefined,
    );
    expect(await playYkc('charge')).toMatchObject({ ok: false, error: expect.stringMatching(/was not accepted/) });
  });
});
