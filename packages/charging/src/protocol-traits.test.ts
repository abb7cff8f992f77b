import { describe, expect, test } from 'vitest';
import { protocolTraits } from './protocol-traits.ts';
import { protocols } from './states.ts';
import { commandKinds, type StationCommand, triggeredMessages } from './station-command.ts';

describe.each(protocols)('a station that speaks %s', (protocol) => {
  const traits = protocolTraits[protocol];
  const knows = (kind: StationCommand['kind']) => traits.commands.includes(kind);
  const all = (...kinds: StationCommand['kind'][]) => kinds.every(knows);
  const none = (...kinds: StationCommand['kind'][]) => !kinds.some(knows);

  test('every station can begin and end a charge, restart, close a gun port and take raw commands', () => {
    expect(all('start-charge', 'stop-charge', 'reset', 'change-availability', 'raw')).toBe(true);
  });

  test("a station's commands are listed once, and every message to trigger exists", () => {
    expect(new Set(traits.commands).size).toBe(traits.commands.length);
    expect(new Set(traits.triggeredMessages).size).toBe(traits.triggeredMessages.length);
    expect(triggeredMessages).toEqual(expect.arrayContaining([...traits.triggeredMessages]));
  });

  test('a station can be asked for readings and the state of its gun ports, which a person looks at', () => {
    expect(knows('trigger-message')).toBe(true);
    expect(traits.triggeredMessages).toEqual(expect.arrayContaining(['readings', 'connector-state']));
  });

  test('a station gets tariff, clock and balance when it bills by itself, and none of them otherwise', () => {
    const given = ['set-tariff', 'set-clock', 'update-balance'] as const;
    expect(traits.billsItself ? all(...given) : none(...given)).toBe(true);
  });

  test('a station that bills by itself names a charge before it begins, since its record needs the name', () => {
    expect(traits.chargesNamed).toBe(traits.billsItself ? 'before-start' : 'at-start');
  });

  test('a station has offline cards that can be stored, found and cleared, or none', () => {
    const cards = ['store-cards', 'query-cards', 'clear-cards'] as const;
    expect(all(...cards) || none(...cards)).toBe(true);
  });

  test('a station has a configuration that can be read and written, or none', () => {
    expect(knows('read-configuration')).toBe(knows('write-configuration'));
  });
});

describe('OCPP 1.6', () => {
  const { hasPassword, billsItself, stationNumber, commands, triggeredMessages: messages } = protocolTraits['ocpp1.6'];

  test('an OCPP 1.6 station signs in with a password (OCPP-J, section 6) and leaves the bill to us', () => {
    expect({ hasPassword, billsItself }).toEqual({ hasPassword: true, billsItself: false });
  });

  test('OCPP 1.6 is text over a WebSocket whose subprotocol is ocpp1.6 (OCPP-J, section 3.1.2)', () => {
    expect(protocolTraits['ocpp1.6']).toMatchObject({ frames: 'text', subprotocol: 'ocpp1.6' });
    expect(protocolTraits.ykc).toMatchObject({ frames: 'bytes', subprotocol: null });
  });

  test('an OCPP 1.6 station can be asked for each message of TriggerMessage (section 5.17)', () => {
    expect([...messages].sort()).toEqual([...triggeredMessages].sort());
  });

  test('an OCPP 1.6 station has the core profile: configuration, cache, unlocking and data transfer', () => {
    const core = ['read-configuration', 'write-configuration', 'clear-cache', 'unlock-connector', 'transfer-data'];
    expect(commands).toEqual(expect.arrayContaining(core));
  });

  test('an OCPP 1.6 station number is 1 to 48 characters on one line', () => {
    const names = ['1', 'CP-0001', 'x'.repeat(48)];
    for (const name of names) expect(stationNumber.test(name)).toBe(true);
    for (const name of ['', 'x'.repeat(49), 'a\nb']) expect(stationNumber.test(name)).toBe(false);
  });
});

describe('YKC', () => {
  const { hasPassword, billsItself, stationNumber, commands, triggeredMessages: messages } = protocolTraits.ykc;

  test('a YKC pile bills by itself, and signs in by its number alone', () => {
    expect({ hasPassword, billsItself }).toEqual({ hasPassword: false, billsItself: true });
  });

  test('a YKC pile can be asked only for live data: readings and states', () => {
    expect([...messages].sort()).toEqual(['connector-state', 'readings']);
  });

  test('a YKC pile has no command for OCPP’s unlocking, configuration, cache and data transfer', () => {
    const missing = commandKinds.filter((kind) => !commands.includes(kind));
    expect(missing.sort()).toEqual([
      'clear-cache',
      'read-configuration',
      'transfer-data',
      'unlock-connector',
      'write-configuration',
    ]);
  });

  test('a YKC pile number is exactly 14 digits', () => {
    expect(stationNumber.test('55031412782305')).toBe(true);
    for (const name of ['', '5503141278230', '550314127823055', '5503141278230A', ' 55031412782305', '１'.repeat(14)]) {
      expect(stationNumber.test(name)).toBe(false);
    }
  });
});
