/**
 * The central-system cases of the OCPP 1.6 certification list, as far as they concern one connection without its
 * transport. The station is simulated; metering and authorization rules are the business's part.
 */
import type { StationEvent } from '@voltdeck/charging/station-event';
import { describe, expect, test } from 'vitest';
import { agreeableBusiness, type Conversation, converse, payloadOf } from './test-conversation.ts';

const timestamp = '2026-11-21T07:59:00Z';
const meterStop = { transactionId: 1001, meterStop: 5000, timestamp };

function status(talk: Conversation, state: string, errorCode = 'NoError', connectorId = 1) {
  const reply = talk.calls('StatusNotification', { connectorId, errorCode, status: state, timestamp });
  expect(reply?.[0]).toBe(3);
  expect(payloadOf(reply)).toEqual({});
}

function authorizes(talk: Conversation, idTag = 'CARD') {
  return payloadOf(talk.calls('Authorize', { idTag })).idTagInfo;
}

function starts(talk: Conversation, idTag = 'CARD') {
  return payloadOf(talk.calls('StartTransaction', { connectorId: 1, idTag, meterStart: 100, timestamp }));
}

function charges(talk: Conversation) {
  expect(starts(talk)).toEqual({ transactionId: 1001, idTagInfo: { status: 'Accepted' } });
  status(talk, 'Charging');
  const values = { connectorId: 1, transactionId: 1001, meterValue: [{ timestamp, sampledValue: [{ value: '200' }] }] };
  expect(talk.calls('MeterValues', values)?.[0]).toBe(3);
}

function stops(talk: Conversation, reason: string) {
  expect(talk.calls('StopTransaction', { ...meterStop, reason })).toMatchObject([3, expect.any(String), {}]);
  return talk.events.findLast((event) => event.kind === 'charge-stopped');
}

function boots(talk: Conversation) {
  const result = payloadOf(talk.calls('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }));
  expect(result).toMatchObject({ status: 'Accepted', interval: 300 });
  expect(result.currentTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
}

const kinds = (events: readonly StationEvent[]) => events.map((event) => event.kind);
const outcome = (talk: Conversation) => talk.settled.at(-1)?.outcome;

describe('cold boot', () => {
  test('TC_001_CSMS cold boot: accepted with interval and time, states and heartbeats noted', () => {
    const talk = converse({ booted: false });
    boots(talk);
    status(talk, 'Available', 'NoError', 0);
    status(talk, 'Available');
    expect(payloadOf(talk.calls('Heartbeat', {})).currentTime).toBe('2026-11-21T08:00:00.000Z');
  });
});

describe('charges', () => {
  test('TC_003_CSMS regular charge, plug-in first', () => {
    const talk = converse();
    status(talk, 'Preparing');
    expect(authorizes(talk)).toEqual({ status: 'Accepted' });
    charges(talk);
    expect(stops(talk, 'Local')).toMatchObject({ reason: 'local', meterStopWh: 5_000, transaction: 1001 });
    status(talk, 'Finishing');
    status(talk, 'Available');
    expect(kinds(talk.events)).toEqual([
      'connector-state-changed',
      'authorization-requested',
      'charge-started',
      'connector-state-changed',
      'readings-taken',
      'charge-stopped',
      'connector-state-changed',
      'connector-state-changed',
    ]);
  });

  test('TC_010_CSMS remote start, cable first', () => {
    const talk = converse();
    status(talk, 'Preparing');
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' });
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
    charges(talk);
  });

  test('TC_011_1_CSMS remote start first, the station authorizes before it answers', () => {
    const talk = converse();
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' });
    expect(authorizes(talk)).toEqual({ status: 'Accepted' });
    expect(talk.settled).toEqual([]);
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
    status(talk, 'Preparing');
    charges(talk);
  });

  test('TC_011_2_CSMS remote start, nobody plugs in', () => {
    const talk = converse();
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' });
    talk.results({ status: 'Accepted' });
    status(talk, 'Preparing');
    status(talk, 'Available');
    expect(kinds(talk.events)).not.toContain('charge-started');
  });

  test('TC_012_CSMS remote stop', () => {
    const talk = converse();
    charges(talk);
    expect(talk.commands({ kind: 'stop-charge', transaction: 1001 })).toMatchObject([
      [2, 'c-1', 'RemoteStopTransaction', { transactionId: 1001 }],
    ]);
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
    expect(stops(talk, 'Remote')).toMatchObject({ reason: 'remote' });
  });

  test('TC_026_CSMS remote start rejected', () => {
    const talk = converse();
    talk.commands({ kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' });
    talk.results({ status: 'Rejected' });
    expect(outcome(talk)).toEqual({ kind: 'rejected' });
  });

  test('TC_028_CSMS remote stop rejected', () => {
    const talk = converse();
    talk.commands({ kind: 'stop-charge', transaction: 4242 });
    talk.results({ status: 'Rejected' });
    expect(outcome(talk)).toEqual({ kind: 'rejected' });
  });
});

describe('resets', () => {
  test.each([
    ['TC_013_CSMS hard reset', 'hard', 'HardReset', 'hard_reset'],
    ['TC_014_CSMS soft reset', 'soft', 'SoftReset', 'soft_reset'],
  ] as const)('%s: the charge ends with its reason and the station boots again', (_name, mode, reason, expected) => {
    const talk = converse();
    charges(talk);
    talk.commands({ kind: 'reset', mode });
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
    expect(stops(talk, reason)).toMatchObject({ reason: expected });
    boots(talk);
  });
});

describe('unlocking', () => {
  test.each([
    ['TC_017_1_CSMS unlock, no charge, free cable', 'Unlocked', 'accepted'],
    ['TC_017_2_CSMS unlock, no charge, fixed cable', 'NotSupported', 'not-supported'],
    ['TC_030_CSMS unlock failure', 'UnlockFailed', 'failed'],
    ['TC_031_CSMS unlock of an unknown connector', 'NotSupported', 'not-supported'],
  ])('%s', (_name, answer, kind) => {
    const talk = converse();
    talk.commands({ kind: 'unlock-connector', connectorNumber: 1 });
    talk.results({ status: answer });
    expect(outcome(talk)).toEqual({ kind });
  });

  test('TC_018_1_CSMS unlock during a charge', () => {
    const talk = converse();
    charges(talk);
    talk.commands({ kind: 'unlock-connector', connectorNumber: 1 });
    talk.results({ status: 'Unlocked' });
    expect(stops(talk, 'UnlockCommand')).toMatchObject({ reason: 'unlock_command' });
  });

  test('TC_024_CSMS failure of the connector lock', () => {
    const talk = converse();
    status(talk, 'Faulted', 'ConnectorLockFailure');
    expect(talk.events).toMatchObject([{ state: 'fault', fault: { code: 'ConnectorLockFailure' } }]);
  });
});

describe('configuration', () => {
  test('TC_019_1_CSMS read all keys', () => {
    const talk = converse();
    expect(talk.commands({ kind: 'read-configuration', keys: [] })).toEqual([[2, 'c-1', 'GetConfiguration', {}]]);
    talk.results({ configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }] });
    expect(outcome(talk)).toMatchObject({
      kind: 'configuration',
      entries: [{ key: 'HeartbeatInterval', value: '300' }],
    });
  });

  test('TC_019_2_CSMS read one key, known or not', () => {
    const talk = converse();
    talk.commands({ kind: 'read-configuration', keys: ['SupportedFeatureProfiles', 'Nope'] });
    talk.results({
      configurationKey: [{ key: 'SupportedFeatureProfiles', readonly: true, value: 'Core' }],
      unknownKey: ['Nope'],
    });
    expect(outcome(talk)).toEqual({
      kind: 'configuration',
      entries: [{ key: 'SupportedFeatureProfiles', value: 'Core', readonly: true }],
      unknownKeys: ['Nope'],
    });
  });

  test.each([
    ['TC_021_CSMS change a key', 'Accepted', 'accepted'],
    ['TC_021_CSMS change a key that needs a reboot', 'RebootRequired', 'reboot-required'],
    ['TC_040_1_CSMS change an unknown key', 'NotSupported', 'not-supported'],
    ['TC_040_2_CSMS change to an invalid value', 'Rejected', 'rejected'],
  ])('%s', (_name, answer, kind) => {
    const talk = converse();
    talk.commands({ kind: 'write-configuration', key: 'MeterValueSampleInterval', value: '60' });
    talk.results({ status: answer });
    expect(outcome(talk)).toEqual({ kind });
  });

  test('TC_061_CSMS clear the cache', () => {
    const talk = converse();
    talk.commands({ kind: 'clear-cache' });
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
  });
});

describe('authorization', () => {
  test.each([
    ['TC_023_1_CSMS invalid card', 'unknown', 'Invalid'],
    ['TC_023_2_CSMS expired card', 'expired', 'Expired'],
    ['TC_023_3_CSMS blocked card', 'blocked', 'Blocked'],
  ] as const)('%s', (_name, authorization, told) => {
    const talk = converse({ decide: () => ({ kind: 'authorization', authorization }) });
    expect(authorizes(talk)).toEqual({ status: told });
  });
});

describe('offline', () => {
  test('TC_032_1_CSMS power failure: the charge ends before the boot is reported', () => {
    const talk = converse();
    charges(talk);
    const again = converse({ booted: false });
    boots(again);
    expect(stops(again, 'PowerLoss')).toMatchObject({ reason: 'power_loss' });
  });

  test.each([
    ['TC_037_1_CSMS offline start, valid card', 'accepted', 'Accepted'],
    ['TC_037_3_CSMS offline start, invalid card', 'unknown', 'Invalid'],
  ] as const)('%s: the transaction gets its number with the status', (_name, authorization, told) => {
    const talk = converse({
      decide: (event) =>
        event.kind === 'charge-started'
          ? { kind: 'charge-started', transactionNumber: 1002, authorization }
          : agreeableBusiness(event),
    });
    expect(starts(talk)).toEqual({ transactionId: 1002, idTagInfo: { status: told } });
    if (authorization === 'unknown') expect(stops(talk, 'DeAuthorized')).toMatchObject({ reason: 'card_deauthorized' });
  });

  test('TC_039_CSMS offline transaction: start, readings and stop arrive late, in order, with their own times', () => {
    const talk = converse({ booted: false });
    boots(talk);
    const frames = [
      ['StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 100, timestamp: '2026-11-21T05:00:00Z' }],
      [
        'MeterValues',
        { connectorId: 1, meterValue: [{ timestamp: '2026-11-21T05:30:00Z', sampledValue: [{ value: '3000' }] }] },
      ],
      ['StopTransaction', { transactionId: 0, meterStop: 5000, timestamp: '2026-11-21T06:00:00Z' }],
    ] as const;
    for (const [action, payload] of frames) expect(talk.calls(action, payload)?.[0]).toBe(3);
    expect(talk.events.slice(1)).toMatchObject([
      { kind: 'charge-started', at: Date.parse('2026-11-21T05:00:00Z') },
      { kind: 'readings-taken', readings: [{ at: Date.parse('2026-11-21T05:30:00Z'), energyWh: 3_000 }] },
      { kind: 'charge-stopped', transaction: 0, at: Date.parse('2026-11-21T06:00:00Z') },
    ]);
  });
});

describe('firmware and diagnostics', () => {
  test.each([
    ['TC_044_1_CSMS firmware update', ['Downloading', 'Downloaded', 'Installing', 'Installed']],
    ['TC_044_2_CSMS download failed', ['Downloading', 'DownloadFailed']],
    ['TC_044_3_CSMS installation failed', ['Downloading', 'Downloaded', 'Installing', 'InstallationFailed']],
  ])('%s is recorded step by step', (_name, statuses) => {
    const talk = converse();
    for (const given of statuses) expect(talk.calls('FirmwareStatusNotification', { status: given })?.[0]).toBe(3);
    expect(talk.events).toHaveLength(statuses.length);
  });

  test('TC_045_1_CSMS diagnostics are recorded step by step', () => {
    const talk = converse();
    for (const given of ['Uploading', 'Uploaded']) talk.calls('DiagnosticsStatusNotification', { status: given });
    expect(talk.events).toMatchObject([{ status: 'uploading' }, { status: 'uploaded' }]);
  });
});

describe('triggers', () => {
  test.each([
    ['readings', 'MeterValues', { connectorId: 1, meterValue: [] }],
    ['heartbeat', 'Heartbeat', {}],
    ['connector-state', 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' }],
    ['diagnostics-status', 'DiagnosticsStatusNotification', { status: 'Idle' }],
    ['boot', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }],
    ['firmware-status', 'FirmwareStatusNotification', { status: 'Idle' }],
  ] as const)('TC_054_CSMS trigger %s: the station answers, then sends it', (message, action, payload) => {
    const talk = converse();
    talk.commands({ kind: 'trigger-message', message });
    talk.results({ status: 'Accepted' });
    expect(outcome(talk)).toEqual({ kind: 'accepted' });
    expect(talk.calls(action, payload)?.[0]).toBe(3);
  });

  test('TC_055_CSMS trigger rejected', () => {
    const talk = converse();
    talk.commands({ kind: 'trigger-message', message: 'readings', connectorNumber: 9 });
    talk.results({ status: 'Rejected' });
    expect(outcome(talk)).toEqual({ kind: 'rejected' });
  });
});

describe('data transfer', () => {
  test('TC_064_CSMS data to the central system: an unknown vendor is refused as such', () => {
    const talk = converse();
    expect(payloadOf(talk.calls('DataTransfer', { vendorId: 'com.unknown', messageId: 'm', data: 'd' }))).toEqual({
      status: 'UnknownVendorId',
    });
  });
});
