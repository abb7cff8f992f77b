import type { Authorization } from '@voltdeck/charging/states';
import { type CommandOutcome, type StationCommand, triggeredMessages } from '@voltdeck/charging/station-command';
import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { instant } from '@voltdeck/units/instant';
import { OCPP16 } from 'typed-ocpp';
import { describe, expect, test } from 'vitest';
import type { Payload } from './frame.ts';
import { checkFromStation, isFromStation } from './messages/from-station.ts';
import { withoutSecrets } from './passwords.ts';
import { toEvent } from './translate.ts';
import { toResult } from './translate-answers.ts';
import { isConfigurationTaken, newPasswordOf, toCall } from './translate-commands.ts';

const now = instant(Date.parse('2026-11-21T08:00:00Z'));
const at = instant(Date.parse('2026-11-21T07:59:00Z'));
const timestamp = '2026-11-21T07:59:00Z';

/** Checks and translates, as the connection does. */
function understand(action: string, payload: Payload) {
  if (!isFromStation(action)) throw new Error(`${action} is no call of a station`);
  return checkFromStation(action, payload) ?? toEvent(action, payload, now);
}

type Golden = {
  action: string;
  request: Payload;
  event: object;
  answer: EventAnswer;
  result: Payload;
};

const golden: readonly Golden[] = [
  {
    action: 'Authorize',
    request: { idTag: 'abc123' },
    event: { kind: 'authorization-requested', cardNumber: 'ABC123' },
    answer: { kind: 'authorization', authorization: 'accepted', parentCardNumber: 'FLEET', expiresAt: at },
    result: { idTagInfo: { status: 'Accepted', expiryDate: '2026-11-21T07:59:00.000Z', parentIdTag: 'FLEET' } },
  },
  {
    action: 'BootNotification',
    request: {
      chargePointVendor: 'Vendor',
      chargePointModel: 'Model',
      chargePointSerialNumber: 'SN1',
      chargeBoxSerialNumber: 'SN2',
      firmwareVersion: '1.0',
      iccid: '8986',
      imsi: '4600',
      meterType: 'DTSU',
      meterSerialNumber: 'M1',
    },
    event: {
      kind: 'booted',
      identity: {
        vendor: 'Vendor',
        model: 'Model',
        serialNumber: 'SN1',
        firmwareVersion: '1.0',
        iccid: '8986',
        imsi: '4600',
        meterType: 'DTSU',
        meterSerialNumber: 'M1',
      },
    },
    answer: { kind: 'boot', decision: 'pending', heartbeatSeconds: 60 },
    result: { status: 'Pending', currentTime: '2026-11-21T08:00:00.000Z', interval: 60 },
  },
  {
    action: 'DataTransfer',
    request: { vendorId: 'com.vendor', messageId: 'ping', data: 'x' },
    event: { kind: 'data-transferred', vendor: 'com.vendor', message: 'ping', data: 'x' },
    answer: { kind: 'data-transferred', status: 'accepted', data: 'pong' },
    result: { status: 'Accepted', data: 'pong' },
  },
  {
    action: 'DiagnosticsStatusNotification',
    request: { status: 'UploadFailed' },
    event: { kind: 'diagnostics-status-changed', status: 'upload_failed' },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'FirmwareStatusNotification',
    request: { status: 'InstallationFailed' },
    event: { kind: 'firmware-status-changed', status: 'installation_failed' },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'Heartbeat',
    request: {},
    event: { kind: 'heartbeat' },
    answer: { kind: 'noted' },
    result: { currentTime: '2026-11-21T08:00:00.000Z' },
  },
  {
    action: 'LogStatusNotification',
    request: { status: 'UploadFailure', requestId: 7 },
    event: { kind: 'diagnostics-status-changed', status: 'upload_failed' },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'SecurityEventNotification',
    request: { type: 'InvalidMessages', timestamp, techInfo: 'a few' },
    event: { kind: 'security-event-reported', name: 'InvalidMessages', info: 'a few', at },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'SignCertificate',
    request: { csr: '-----BEGIN CERTIFICATE REQUEST-----' },
    event: { kind: 'certificate-requested', request: '-----BEGIN CERTIFICATE REQUEST-----' },
    answer: { kind: 'noted' },
    result: { status: 'Rejected' },
  },
  {
    action: 'SignedFirmwareStatusNotification',
    request: { status: 'InvalidSignature', requestId: 7 },
    event: { kind: 'firmware-status-changed', status: 'invalid_signature' },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'MeterValues',
    request: {
      connectorId: 1,
      transactionId: 1001,
      meterValue: [
        { timestamp, sampledValue: [{ value: '12.5', unit: 'kWh', measurand: 'Energy.Active.Import.Register' }] },
      ],
    },
    event: {
      kind: 'readings-taken',
      connectorNumber: 1,
      transaction: 1001,
      readings: [{ at, energyWh: 12_500 }],
    },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'StartTransaction',
    request: { connectorId: 2, idTag: 'card', meterStart: 100, timestamp, reservationId: 7 },
    event: {
      kind: 'charge-started',
      connectorNumber: 2,
      cardNumber: 'CARD',
      meterStartWh: 100,
      at,
      stationTime: timestamp,
      reservation: 7,
    },
    answer: { kind: 'charge-started', transactionNumber: 1001, authorization: 'accepted' },
    result: { transactionId: 1001, idTagInfo: { status: 'Accepted' } },
  },
  {
    action: 'StatusNotification',
    request: {
      connectorId: 1,
      status: 'Faulted',
      errorCode: 'GroundFailure',
      info: 'earth',
      vendorErrorCode: 'E12',
      vendorId: 'v',
      timestamp,
    },
    event: {
      kind: 'connector-state-changed',
      connectorNumber: 1,
      state: 'fault',
      fault: { code: 'GroundFailure', info: 'earth', vendorCode: 'E12' },
      at,
    },
    answer: { kind: 'noted' },
    result: {},
  },
  {
    action: 'StopTransaction',
    request: {
      transactionId: 1001,
      idTag: 'card',
      meterStop: 5000,
      timestamp,
      reason: 'Remote',
      transactionData: [{ timestamp, sampledValue: [{ value: '5000', context: 'Transaction.End' }] }],
    },
    event: {
      kind: 'charge-stopped',
      transaction: 1001,
      cardNumber: 'CARD',
      meterStopWh: 5_000,
      at,
      stationTime: timestamp,
      reason: 'remote',
      readings: [{ at, energyWh: 5_000 }],
    },
    answer: { kind: 'charge-stopped', authorization: 'expired' },
    result: { idTagInfo: { status: 'Expired' } },
  },
];

describe('every call of a station', () => {
  test.each(golden)('$action is understood and answered', ({ action, request, event, answer, result }) => {
    const call: [number, string, string, Payload] = [2, '7', action, structuredClone(request)];
    expect(OCPP16.validateCall(call), 'the example is a valid call').toBe(true);
    const understood = understand(action, request);
    expect(understood).toEqual(event);
    expect(toResult(understood as StationEvent, answer, now)).toEqual(result);
    const checked = OCPP16.checkCallResult([3, '7', structuredClone(result)] as never, call as never);
    expect(OCPP16.checkCallResult.errors).toEqual([]);
    expect(checked).toBe(true);
  });

  test.each(golden)('$action may carry unknown fields and null for optional ones', ({ action, request, event }) => {
    expect(understand(action, { ...request, vendorExtra: { deep: [1] } })).toEqual(event);
    const required = { connectorId: 1, idTag: 'x', vendorId: 'x', status: 'Idle' };
    const nulls = {
      parentIdTag: null,
      firmwareVersion: null,
      messageId: null,
      transactionId: null,
      timestamp: null,
      info: null,
    };
    const withNulls = understand(action, {
      ...required,
      ...request,
      ...nulls,
      transactionId: request.transactionId ?? null,
    });
    expect(withNulls).toMatchObject({ kind: expect.not.stringMatching('payload-fault') });
  });

  test.each(golden.filter(({ action }) => action !== 'StopTransaction' && action !== 'Heartbeat'))(
    '$action without its fields is a violation of occurence',
    ({ action }) => {
      expect(understand(action, {})).toMatchObject({ kind: 'payload-fault', code: 'OccurenceConstraintViolation' });
    },
  );
});

describe('violations', () => {
  test.each([
    ['Authorize', { idTag: 5 }, 'TypeConstraintViolation'],
    ['Authorize', { idTag: 'x'.repeat(21) }, 'PropertyConstraintViolation'],
    ['BootNotification', { chargePointVendor: 'v' }, 'OccurenceConstraintViolation'],
    ['BootNotification', { chargePointVendor: 1, chargePointModel: 'm' }, 'TypeConstraintViolation'],
    ['StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Occupied' }, 'PropertyConstraintViolation'],
    ['StatusNotification', { connectorId: 'A', errorCode: 'NoError', status: 'Available' }, 'TypeConstraintViolation'],
    [
      'StatusNotification',
      { connectorId: -1, errorCode: 'NoError', status: 'Available' },
      'PropertyConstraintViolation',
    ],
    [
      'StatusNotification',
      { connectorId: 1e9, errorCode: 'NoError', status: 'Available' },
      'PropertyConstraintViolation',
    ],
    ['StatusNotification', { connectorId: 1.5, errorCode: 'NoError', status: 'Available' }, 'TypeConstraintViolation'],
    ['StartTransaction', { connectorId: 0, idTag: 'x', meterStart: 0, timestamp }, 'PropertyConstraintViolation'],
    ['StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 'full', timestamp }, 'TypeConstraintViolation'],
    ['StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 0 }, 'OccurenceConstraintViolation'],
    ['MeterValues', { connectorId: 1, meterValue: {} }, 'TypeConstraintViolation'],
    ['FirmwareStatusNotification', { status: 'Exploded' }, 'PropertyConstraintViolation'],
    ['DataTransfer', { vendorId: 'v', data: {} }, 'TypeConstraintViolation'],
    ['LogStatusNotification', { status: 'Gone' }, 'PropertyConstraintViolation'],
    ['SignedFirmwareStatusNotification', { status: 5 }, 'TypeConstraintViolation'],
    ['SignCertificate', { csr: 'x'.repeat(5_501) }, 'PropertyConstraintViolation'],
  ])('%s %j is a %s... of the right kind', (action, payload, code) => {
    expect(understand(action, payload)).toMatchObject({ kind: 'payload-fault', code });
  });
});

describe('boot', () => {
  test('vendor and serial number may be empty or longer than the standard allows', () => {
    expect(
      understand('BootNotification', {
        chargePointVendor: '',
        chargePointModel: 'M'.repeat(34),
        chargePointSerialNumber: '',
        chargeBoxSerialNumber: 'S'.repeat(400),
      }),
    ).toEqual({
      kind: 'booted',
      identity: { vendor: '', model: 'M'.repeat(34), serialNumber: 'S'.repeat(255) },
    });
  });
});

describe('connector states', () => {
  test.each([
    ['Available', 'free'],
    ['Preparing', 'plugged_in'],
    ['Charging', 'charging'],
    ['SuspendedEV', 'suspended'],
    ['SuspendedEVSE', 'suspended'],
    ['Finishing', 'finishing'],
    ['Reserved', 'reserved'],
    ['Unavailable', 'unavailable'],
    ['Faulted', 'fault'],
  ])('%s is %s', (status, state) => {
    expect(understand('StatusNotification', { connectorId: 1, errorCode: 'NoError', status })).toEqual({
      kind: 'connector-state-changed',
      connectorNumber: 1,
      state,
    });
  });

  test('connector 0 is the station itself', () => {
    expect(
      understand('StatusNotification', { connectorId: 0, errorCode: 'NoError', status: 'Unavailable' }),
    ).toMatchObject({
      connectorNumber: 0,
      state: 'unavailable',
    });
  });

  test('an invented error code counts as OtherError and stays readable', () => {
    expect(understand('StatusNotification', { connectorId: 1, errorCode: 'Error', status: 'Faulted' })).toMatchObject({
      fault: { code: 'OtherError', vendorCode: 'Error' },
    });
    expect(
      understand('StatusNotification', {
        connectorId: 1,
        errorCode: 'constructor',
        status: 'Faulted',
        vendorErrorCode: 'E1',
      }),
    ).toMatchObject({ fault: { code: 'OtherError', vendorCode: 'E1' } });
  });

  test('an error code with a working state is kept', () => {
    expect(
      understand('StatusNotification', { connectorId: 1, errorCode: 'WeakSignal', status: 'Available' }),
    ).toMatchObject({
      state: 'free',
      fault: { code: 'WeakSignal' },
    });
  });
});

describe('charges', () => {
  const start = { connectorId: 1, idTag: 'card', meterStart: 100, timestamp };
  const stop = { transactionId: 1001, meterStop: 5000, timestamp };

  test.each([
    ['decimals', 100.5, 101],
    ['text', '100.4', 100],
    ['below zero', -1, -1],
    ['zero', 0, 0],
  ])('a start register in %s is read', (_what, meterStart, meterStartWh) => {
    expect(understand('StartTransaction', { ...start, meterStart })).toMatchObject({ meterStartWh });
  });

  test.each([['2026-11-21T12:00:00'], ['1970-01-01T00:00:00Z'], ['2027-01-01T00:00:00Z'], ['nonsense']])(
    "a start at %s has no event time and keeps the station's text",
    (stationTime) => {
      const event = understand('StartTransaction', { ...start, timestamp: stationTime });
      expect(event).toMatchObject({ kind: 'charge-started', stationTime });
      expect(event).not.toHaveProperty('at');
    },
  );

  test('a start accepts a card of any length, in upper case and without the padding of C strings', () => {
    expect(understand('StartTransaction', { ...start, idTag: 'ab\0\0' })).toMatchObject({ cardNumber: 'AB' });
    expect(understand('StartTransaction', { ...start, idTag: ' ab \0\0' })).toMatchObject({ cardNumber: 'AB' });
    expect(understand('StopTransaction', { ...stop, idTag: 'ab   ' })).toMatchObject({ cardNumber: 'AB' });
    expect(understand('Authorize', { idTag: 'ab   ' })).toMatchObject({ cardNumber: 'AB' });
    expect(understand('StartTransaction', { ...start, idTag: 'ab\ud83d' })).toMatchObject({ cardNumber: 'AB\ufffd' });
    expect(understand('StartTransaction', { ...start, idTag: 'a'.repeat(30) })).toMatchObject({
      cardNumber: 'A'.repeat(30),
    });
  });

  test.each([
    ['DeAuthorized', 'card_deauthorized'],
    ['EmergencyStop', 'emergency_stop'],
    ['EVDisconnected', 'vehicle_disconnected'],
    ['HardReset', 'hard_reset'],
    ['Local', 'local'],
    ['Other', 'other'],
    ['PowerLoss', 'power_loss'],
    ['Reboot', 'reboot'],
    ['Remote', 'remote'],
    ['SoftReset', 'soft_reset'],
    ['UnlockCommand', 'unlock_command'],
    ['BatteryFull', 'other'],
    ['toString', 'other'],
    [7, 'other'],
    [undefined, 'local'],
    [null, 'local'],
  ])('a stop with reason %s has reason %s', (reason, expected) => {
    expect(understand('StopTransaction', { ...stop, reason })).toMatchObject({ reason: expected });
  });

  test.each([
    [0, 0],
    [-1, -1],
    [-16, -16],
    [2_147_483_647, 2_147_483_647],
    [4_000_000_000, 0],
    [1.5, 0],
    ['1001', 1001],
    [' -7 ', -7],
    ['1001a', 0],
    [undefined, 0],
  ])('a stop of transaction %s has number %i', (transactionId, transaction) => {
    expect(understand('StopTransaction', { ...stop, transactionId })).toMatchObject({ transaction });
  });

  test('a stop without a card has none', () => {
    expect(understand('StopTransaction', stop)).not.toHaveProperty('cardNumber');
    expect(understand('StopTransaction', { ...stop, idTag: null })).not.toHaveProperty('cardNumber');
  });

  test('a stop without register ends at its last reading', () => {
    const transactionData = [
      { timestamp, sampledValue: [{ value: '4000' }] },
      { timestamp: '2026-11-21T07:59:30Z', sampledValue: [{ value: '4200' }] },
      { timestamp: '2026-11-21T07:59:40Z', sampledValue: [{ value: '7', measurand: 'Power.Active.Import' }] },
    ];
    expect(understand('StopTransaction', { transactionId: 1, transactionData })).toMatchObject({
      kind: 'charge-stopped',
      meterStopWh: 4_200,
      stationTime: '',
    });
  });

  test('a stop without any energy is the end of a charge without a register', () => {
    for (const payload of [{}, { meterStop: [], transactionData: 'x' }]) {
      const unusable: string[] = [];
      expect(toEvent('StopTransaction', payload, now, unusable)).toEqual({
        kind: 'charge-stopped',
        transaction: 0,
        stationTime: '',
        reason: 'local',
        readings: [],
      });
      expect(unusable).toEqual(['meterStop: no energy to read']);
    }
  });
});

describe('readings', () => {
  test.each([[null], [0.5], [4_000_000_000]])('a transaction id of %s is checked', (transactionId) => {
    const understood = understand('MeterValues', { connectorId: 1, transactionId, meterValue: [] });
    expect(understood).toEqual({ kind: 'readings-taken', connectorNumber: 1, readings: [] });
  });

  test('a connector and a transaction as text are read as numbers', () => {
    expect(understand('MeterValues', { connectorId: '2', transactionId: ' 1001 ', meterValue: [] })).toEqual({
      kind: 'readings-taken',
      connectorNumber: 2,
      transaction: 1001,
      readings: [],
    });
    expect(
      understand('StatusNotification', { connectorId: '2', errorCode: 'NoError', status: 'Charging' }),
    ).toMatchObject({ connectorNumber: 2, state: 'charging' });
    expect(understand('StartTransaction', { connectorId: '2', idTag: 'x', meterStart: '7', timestamp })).toMatchObject({
      connectorNumber: 2,
      meterStartWh: 7,
    });
  });

  test('a stop at an impossible register ends at its last reading, and the log says so', () => {
    const unusable: string[] = [];
    const transactionData = [{ timestamp, sampledValue: [{ value: '4000' }, { value: '9e6', measurand: 'Voltage' }] }];
    const payload = { transactionId: 1, meterStop: 2 ** 52, timestamp, transactionData };
    expect(toEvent('StopTransaction', payload, now, unusable)).toMatchObject({ meterStopWh: 4_000 });
    expect(unusable).toEqual(['voltageMv: 9000000000', 'meterStop: 4503599627370496']);
  });

  test('the time of a stop reveals the zone of its readings', () => {
    const reading = (time: string) => ({ timestamp: time, sampledValue: [{ value: '4000' }] });
    const local = { transactionId: 1, meterStop: 5000, timestamp: '2026-11-21T15:58:00' };
    // By itself the first would be the UTC of a few minutes ago.
    const transactionData = [reading('2026-11-21T07:55:00'), reading('2026-11-21 15:55:00')];
    expect(understand('StopTransaction', { ...local, transactionData })).toMatchObject({
      at: Date.parse('2026-11-21T07:58:00Z'),
      readings: [{ at: Date.parse('2026-11-20T23:55:00Z') }, { at: Date.parse('2026-11-21T07:55:00Z') }],
    });
  });
});

describe('answers', () => {
  const authorization: StationEvent = { kind: 'authorization-requested', cardNumber: 'X' };

  test.each([
    ['accepted', 'Accepted'],
    ['blocked', 'Blocked'],
    ['expired', 'Expired'],
    ['unknown', 'Invalid'],
    ['already_charging', 'ConcurrentTx'],
    ['no_balance', 'Blocked'],
  ] as const satisfies readonly (readonly [Authorization, string])[])('%s is sent as %s (TC_023)', (given, status) => {
    expect(toResult(authorization, { kind: 'authorization', authorization: given }, now)).toEqual({
      idTagInfo: { status },
    });
  });

  test('a parent too long for the protocol is not sent', () => {
    const answer: EventAnswer = { kind: 'authorization', authorization: 'accepted', parentCardNumber: 'x'.repeat(21) };
    expect(toResult(authorization, answer, now)).toEqual({ idTagInfo: { status: 'Accepted' } });
  });

  test.each(['accepted', 'rejected', 'unknown_message', 'unknown_vendor'] as const)(
    'a data transfer may be answered %s',
    (status) => {
      const result = toResult({ kind: 'data-transferred', vendor: 'v' }, { kind: 'data-transferred', status }, now);
      expect(
        OCPP16.checkCallResult([3, '7', result] as never, [2, '7', 'DataTransfer', { vendorId: 'v' }] as never),
      ).toBe(true);
    },
  );

  test.each([0, -1, 1.5, 2_147_483_648])('a start never gets %s as its transaction', (transactionNumber) => {
    const event = understand('StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 0, timestamp });
    const answer: EventAnswer = { kind: 'charge-started', transactionNumber, authorization: 'accepted' };
    expect(() => toResult(event as StationEvent, answer, now)).toThrow(RangeError);
  });

  test('an answer to another event throws', () => {
    expect(() => toResult(authorization, { kind: 'noted' }, now)).toThrow(
      'noted does not answer authorization-requested',
    );
  });
});

describe('commands', () => {
  const commands: readonly { command: StationCommand; action: string; payload: Payload }[] = [
    {
      command: { kind: 'start-charge', connectorNumber: 1, cardNumber: 'CARD' },
      action: 'RemoteStartTransaction',
      payload: { connectorId: 1, idTag: 'CARD' },
    },
    {
      command: { kind: 'stop-charge', transaction: 1001 },
      action: 'RemoteStopTransaction',
      payload: { transactionId: 1001 },
    },
    { command: { kind: 'reset', mode: 'soft' }, action: 'Reset', payload: { type: 'Soft' } },
    { command: { kind: 'reset', mode: 'hard' }, action: 'Reset', payload: { type: 'Hard' } },
    {
      command: { kind: 'unlock-connector', connectorNumber: 2 },
      action: 'UnlockConnector',
      payload: { connectorId: 2 },
    },
    {
      command: { kind: 'change-availability', connectorNumber: 0, available: false },
      action: 'ChangeAvailability',
      payload: { connectorId: 0, type: 'Inoperative' },
    },
    {
      command: { kind: 'change-availability', connectorNumber: 1, available: true },
      action: 'ChangeAvailability',
      payload: { connectorId: 1, type: 'Operative' },
    },
    { command: { kind: 'read-configuration', keys: [] }, action: 'GetConfiguration', payload: {} },
    {
      command: { kind: 'read-configuration', keys: ['HeartbeatInterval'] },
      action: 'GetConfiguration',
      payload: { key: ['HeartbeatInterval'] },
    },
    {
      command: { kind: 'write-configuration', key: 'HeartbeatInterval', value: '60' },
      action: 'ChangeConfiguration',
      payload: { key: 'HeartbeatInterval', value: '60' },
    },
    { command: { kind: 'clear-cache' }, action: 'ClearCache', payload: {} },
    {
      command: { kind: 'transfer-data', vendor: 'v', message: 'm', data: 'd' },
      action: 'DataTransfer',
      payload: { vendorId: 'v', messageId: 'm', data: 'd' },
    },
    { command: { kind: 'transfer-data', vendor: 'v' }, action: 'DataTransfer', payload: { vendorId: 'v' } },
    {
      command: { kind: 'raw', action: 'GetLocalListVersion', payload: {} },
      action: 'GetLocalListVersion',
      payload: {},
    },
    ...triggeredMessages.map((message) => ({
      command: { kind: 'trigger-message' as const, message, connectorNumber: 1 },
      action: 'TriggerMessage',
      payload: {
        requestedMessage: {
          boot: 'BootNotification',
          heartbeat: 'Heartbeat',
          readings: 'MeterValues',
          'connector-state': 'StatusNotification',
          'diagnostics-status': 'DiagnosticsStatusNotification',
          'firmware-status': 'FirmwareStatusNotification',
        }[message],
        connectorId: 1,
      },
    })),
  ];

  test.each(commands)('$command.kind becomes $action $payload', ({ command, action, payload }) => {
    expect(toCall(command)).toMatchObject({ action, payload });
    expect(OCPP16.validateCall([2, '7', action, structuredClone(payload)])).toBe(true);
  });

  test.each([
    { kind: 'start-charge', connectorNumber: 0, cardNumber: 'X' },
    { kind: 'start-charge', connectorNumber: 1, cardNumber: 'x'.repeat(21) },
    { kind: 'stop-charge', transaction: 4_000_000_000 },
    { kind: 'unlock-connector', connectorNumber: 0 },
    { kind: 'change-availability', connectorNumber: -1, available: true },
    { kind: 'write-configuration', key: 'k'.repeat(51), value: '' },
    { kind: 'trigger-message', message: 'readings', connectorNumber: 0 },
    { kind: 'transfer-data', vendor: 'v'.repeat(256) },
    { kind: 'raw', action: '', payload: {} },
    { kind: 'raw', action: 'Reset', payload: [] },
    { kind: 'raw', action: 'Reset', payload: null },
  ] as const satisfies readonly StationCommand[])('%j cannot be sent', (command) => {
    expect(toCall(command)).toBeNull();
  });

  test.each<[StationCommand, string | null]>([
    [{ kind: 'write-configuration', key: 'AuthorizationKey', value: 'secret' }, 'secret'],
    [{ kind: 'write-configuration', key: 'authorizationkey', value: 'secret' }, 'secret'],
    [{ kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: 'secret' } }, 'secret'],
    [{ kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'HeartbeatInterval', value: 7 } }, null],
    [{ kind: 'raw', action: 'DataTransfer', payload: { key: 'AuthorizationKey', value: 'secret' } }, null],
    [{ kind: 'write-configuration', key: 'HeartbeatInterval', value: '60' }, null],
    [{ kind: 'clear-cache' }, null],
  ])("%j sets the station's password to %s", (command, password) => {
    expect(newPasswordOf(command)).toBe(password);
    const stored = withoutSecrets(command);
    if (password === null) expect(stored).toEqual(command);
    else expect(JSON.stringify(stored)).toBe(JSON.stringify(command).replace('secret', '***'));
  });

  test.each<[CommandOutcome, boolean]>([
    [{ kind: 'accepted' }, true],
    [{ kind: 'reboot-required' }, true],
    [{ kind: 'raw', payload: { status: 'Accepted' } }, true],
    [{ kind: 'raw', payload: { status: 'RebootRequired' } }, true],
    [{ kind: 'rejected' }, false],
    [{ kind: 'not-supported' }, false],
    [{ kind: 'raw', payload: { status: 'Rejected' } }, false],
    [{ kind: 'raw', payload: null }, false],
    [{ kind: 'timed-out' }, false],
  ])('a configuration change with the outcome %j was accepted: %s', (outcome, isTaken) => {
    expect(isConfigurationTaken(outcome)).toBe(isTaken);
  });

  const outcomes: readonly [StationCommand, Payload, object][] = [
    [{ kind: 'start-charge', connectorNumber: 1, cardNumber: 'X' }, { status: 'Accepted' }, { kind: 'accepted' }],
    [{ kind: 'start-charge', connectorNumber: 1, cardNumber: 'X' }, { status: 'Rejected' }, { kind: 'rejected' }],
    [{ kind: 'stop-charge', transaction: 1 }, { status: 'Rejected' }, { kind: 'rejected' }],
    [{ kind: 'reset', mode: 'soft' }, { status: 'Accepted' }, { kind: 'accepted' }],
    [{ kind: 'unlock-connector', connectorNumber: 1 }, { status: 'Unlocked' }, { kind: 'accepted' }],
    [{ kind: 'unlock-connector', connectorNumber: 1 }, { status: 'UnlockFailed' }, { kind: 'failed' }],
    [{ kind: 'unlock-connector', connectorNumber: 9 }, { status: 'NotSupported' }, { kind: 'not-supported' }],
    [
      { kind: 'change-availability', connectorNumber: 0, available: true },
      { status: 'Scheduled' },
      { kind: 'scheduled' },
    ],
    [{ kind: 'write-configuration', key: 'k', value: 'v' }, { status: 'RebootRequired' }, { kind: 'reboot-required' }],
    [{ kind: 'write-configuration', key: 'k', value: 'v' }, { status: 'NotSupported' }, { kind: 'not-supported' }],
    [{ kind: 'clear-cache' }, { status: 'Rejected' }, { kind: 'rejected' }],
    [{ kind: 'trigger-message', message: 'boot' }, { status: 'NotImplemented' }, { kind: 'not-supported' }],
    [
      { kind: 'transfer-data', vendor: 'v' },
      { status: 'UnknownMessageId' },
      { kind: 'data', status: 'unknown_message' },
    ],
    [
      { kind: 'transfer-data', vendor: 'v' },
      { status: 'Accepted', data: 'd' },
      { kind: 'data', status: 'accepted', data: 'd' },
    ],
    [{ kind: 'raw', action: 'Anything', payload: {} }, { a: [1] }, { kind: 'raw', payload: { a: [1] } }],
    [
      { kind: 'reset', mode: 'soft' },
      { status: 'Maybe' },
      {
        kind: 'station-error',
        code: 'PropertyConstraintViolation',
        description: 'status: must be equal to one of the allowed values',
      },
    ],
    [
      { kind: 'clear-cache' },
      {},
      {
        kind: 'station-error',
        code: 'OccurenceConstraintViolation',
        description: "must have required property 'status'",
      },
    ],
    [
      { kind: 'read-configuration', keys: [] },
      {
        configurationKey: [
          { key: 'HeartbeatInterval', readonly: false, value: '300' },
          { key: 'NumberOfConnectors', readonly: true, value: 2 },
          { key: 'NoReadonly' },
          { key: 'authorizationkey', readonly: false, value: 'secret' },
          { readonly: true },
          null,
        ],
        unknownKey: ['Nope', 5],
      },
      {
        kind: 'configuration',
        entries: [
          { key: 'HeartbeatInterval', value: '300', readonly: false },
          { key: 'NumberOfConnectors', value: '2', readonly: true },
          { key: 'NoReadonly', readonly: false },
          { key: 'authorizationkey', readonly: false },
        ],
        unknownKeys: ['Nope'],
      },
    ],
    [{ kind: 'read-configuration', keys: ['x'] }, {}, { kind: 'configuration', entries: [], unknownKeys: [] }],
  ];

  test.each(outcomes)('the answer to %j, %j, is understood', (command, result, outcome) => {
    expect(toCall(command)?.outcomeOf(result)).toEqual(outcome);
  });
});
