import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { type Protocol, protocols } from '@voltdeck/charging/states';
import { commandKinds, type StationCommand } from '@voltdeck/charging/station-command';
import { toCall as toOcppCall } from '@voltdeck/ocpp16/translate-commands';
import { fen } from '@voltdeck/units/money';
import { toCall as toYkcCall } from '@voltdeck/ykc/translate-commands';
import { describe, expect, test } from 'vitest';

const pileNo = '33010600000001';
const trade = `${pileNo}01${'1'.repeat(16)}`;
const price = { electricityE5: 100_000, serviceE5: 40_000 };

/** One command of each kind that every protocol which has it can say. */
const samples: { readonly [Kind in StationCommand['kind']]: Extract<StationCommand, { kind: Kind }> } = {
  'start-charge': {
    kind: 'start-charge',
    connectorNumber: 1,
    cardNumber: '1000000000000001',
    physicalCardNumber: '1000000000000001',
    transaction: trade,
    availableFen: fen(10_000),
  },
  'stop-charge': { kind: 'stop-charge', transaction: 1, connectorNumber: 1 },
  reset: { kind: 'reset', mode: 'hard' },
  'unlock-connector': { kind: 'unlock-connector', connectorNumber: 1 },
  'change-availability': { kind: 'change-availability', connectorNumber: 0, available: true },
  'read-configuration': { kind: 'read-configuration', keys: ['HeartbeatInterval'] },
  'write-configuration': { kind: 'write-configuration', key: 'HeartbeatInterval', value: '300' },
  'clear-cache': { kind: 'clear-cache' },
  'trigger-message': { kind: 'trigger-message', message: 'readings', connectorNumber: 1 },
  'transfer-data': { kind: 'transfer-data', vendor: 'org.example' },
  'set-tariff': {
    kind: 'set-tariff',
    tariff: {
      version: '0001',
      prices: { sharp: price, peak: price, flat: price, valley: price },
      slots: Array.from({ length: 48 }, () => 'flat' as const),
    },
  },
  'set-clock': { kind: 'set-clock' },
  'update-balance': {
    kind: 'update-balance',
    connectorNumber: 1,
    physicalCardNumber: '1000000000000001',
    availableFen: fen(10_000),
  },
  'store-cards': { kind: 'store-cards', cards: [{ number: '1000000000000001', physicalNumber: '1000000000000001' }] },
  'clear-cards': { kind: 'clear-cards', physicalNumbers: ['1000000000000001'] },
  'query-cards': { kind: 'query-cards', physicalNumbers: ['1000000000000001'] },
  'limit-power': { kind: 'limit-power', available: true, maxPowerPercent: 80 },
  'move-ground-lock': { kind: 'move-ground-lock', connectorNumber: 1, to: 'raised' },
  'update-firmware': {
    kind: 'update-firmware',
    firmware: {
      current: 'dc',
      ratedPowerKw: 120,
      host: '10.0.0.9',
      port: 21,
      user: 'ota',
      password: 'secret',
      path: '/fw.bin',
      when: 'now',
      timeoutMinutes: 30,
    },
  },
  raw: { kind: 'raw', action: 'GetDiagnostics', payload: {} },
};

/** Whether the protocol has words for the command at all, whatever its values. */
const canSay: Readonly<Record<Protocol, (command: StationCommand) => boolean>> = {
  'ocpp1.6': (command) => toOcppCall(command) !== null,
  ykc: (command) => {
    const call = toYkcCall(command, pileNo);
    return call.ok || call.error.kind !== 'not-supported';
  },
};

describe.each(protocols)('the commands of %s', (protocol) => {
  test.each(commandKinds)('%s is offered where the protocol can say it, and nowhere else', (kind) => {
    expect(canSay[protocol](samples[kind])).toBe(protocolTraits[protocol].commands.includes(kind));
  });

  test('a single gun port is taken out of service where the protocol can say it, and nowhere else', () => {
    const command = { kind: 'change-availability', connectorNumber: 1, available: false } as const;
    expect(canSay[protocol](command)).toBe(protocolTraits[protocol].closesSinglePorts);
  });
});
