import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { type CommandOutcome, commandKinds, type StationCommand } from '@voltdeck/charging/station-command';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './exchanges.ts';
import { writeRawFrame } from './frame.ts';
import { toHex } from './hex.ts';
import type { Message, MessageOf, PileMessage, PileMessageKind } from './messages/all.ts';
import { messageOf, conversationStart as now, pileFrame, testPileNo, testTradeNo } from './test-conversation.ts';
import { type OutgoingCall, toCall } from './translate-commands.ts';

/** The messages that a command sends, or its immediate outcome. */
function sentBy(command: StationCommand): readonly Message[] | CommandOutcome {
  const call = toCall(command, testPileNo);
  if (!call.ok) return call.error;
  return call.value.parts.map(({ type, bodyAt }) => messageOf(writeRawFrame(type, bodyAt(now), 0)));
}

function callOf(command: StationCommand): OutgoingCall {
  const call = toCall(command, testPileNo);
  if (!call.ok) throw new Error(`${command.kind}: ${call.error.kind}`);
  return call.value;
}

function outcomeOf<Kind extends PileMessageKind>(
  command: StationCommand,
  kind: Kind,
  ...replies: readonly Partial<MessageOf<Kind>>[]
): CommandOutcome {
  return callOf(command).outcomeOf(
    replies.map((fields) => {
      const message = messageOf(pileFrame(kind, { pileNo: testPileNo, ...fields })) as PileMessage;
      return { type: 0, message, body: '' };
    }),
  );
}

const cards = (count: number) => Array.from({ length: count }, (_, index) => `0${index}`);

describe('what can be asked', () => {
  test("the commands that can be sent are those in the protocol's traits", () => {
    const examples: Readonly<Record<StationCommand['kind'], StationCommand>> = {
      'start-charge': { kind: 'start-charge', connectorNumber: 1, cardNumber: '1', transaction: testTradeNo },
      'stop-charge': { kind: 'stop-charge', transaction: testTradeNo },
      reset: { kind: 'reset', mode: 'hard' },
      'unlock-connector': { kind: 'unlock-connector', connectorNumber: 1 },
      'change-availability': { kind: 'change-availability', connectorNumber: 0, available: true },
      'read-configuration': { kind: 'read-configuration', keys: [] },
      'write-configuration': { kind: 'write-configuration', key: 'a', value: 'b' },
      'clear-cache': { kind: 'clear-cache' },
      'trigger-message': { kind: 'trigger-message', message: 'readings' },
      'transfer-data': { kind: 'transfer-data', vendor: 'v' },
      'set-tariff': { kind: 'set-tariff', tariff: anyTariff() },
      'set-clock': { kind: 'set-clock' },
      'update-balance': { kind: 'update-balance', connectorNumber: 1, availableFen: fen(1) },
      'store-cards': { kind: 'store-cards', cards: [{ number: '1', physicalNumber: 'AA' }] },
      'clear-cards': { kind: 'clear-cards', physicalNumbers: ['AA'] },
      'query-cards': { kind: 'query-cards', physicalNumbers: ['AA'] },
      'limit-power': { kind: 'limit-power', available: true, maxPowerPercent: 50 },
      'move-ground-lock': { kind: 'move-ground-lock', connectorNumber: 1, to: 'raised' },
      'update-firmware': { kind: 'update-firmware', firmware: anyFirmware() },
      raw: { kind: 'raw', action: '0x92', payload: { when: 1 } },
    };
    const sayable = commandKinds.filter((kind) => toCall(examples[kind], testPileNo).ok);
    expect(new Set(sayable)).toEqual(new Set(protocolTraits.ykc.commands));
    for (const kind of commandKinds.filter((each) => !sayable.includes(each))) {
      expect(sentBy(examples[kind]), kind).toEqual({ kind: 'not-supported' });
    }
  });

  test('a pile can be made unavailable, a single gun port cannot', () => {
    expect(sentBy({ kind: 'change-availability', connectorNumber: 1, available: false })).toEqual({
      kind: 'not-supported',
    });
    expect(sentBy({ kind: 'change-availability', connectorNumber: 0, available: false })).toEqual([
      { kind: 'work-parameter-set', pileNo: testPileNo, disabled: 1, maxPowerPct: 100 },
    ]);
  });

  test('messages that a pile does not send on demand cannot be triggered', () => {
    for (const message of ['boot', 'heartbeat', 'diagnostics-status', 'firmware-status'] as const) {
      expect(sentBy({ kind: 'trigger-message', message })).toEqual({ kind: 'not-supported' });
    }
  });

  test.each<[string, StationCommand]>([
    ['a gun port beyond 99', { kind: 'start-charge', connectorNumber: 100, cardNumber: '1', transaction: testTradeNo }],
    ['a gun port of 0', { kind: 'start-charge', connectorNumber: 0, cardNumber: '1', transaction: testTradeNo }],
    [
      'a name of 31 digits',
      { kind: 'start-charge', connectorNumber: 1, cardNumber: '1', transaction: testTradeNo.slice(1) },
    ],
    [
      'a chip number of letters',
      {
        kind: 'start-charge',
        connectorNumber: 1,
        cardNumber: '1',
        transaction: testTradeNo,
        physicalCardNumber: 'card',
      },
    ],
    [
      'a parallel key of letters',
      { kind: 'start-charge', connectorNumber: 1, cardNumber: '1', transaction: testTradeNo, parallelKey: 'x' },
    ],
    ['a stop without a gun port', { kind: 'stop-charge', transaction: 5 }],
    ['power below 30 %', { kind: 'limit-power', available: true, maxPowerPercent: 29 }],
    ['power above 100 %', { kind: 'limit-power', available: true, maxPowerPercent: 101 }],
    ['power of half a percent', { kind: 'limit-power', available: true, maxPowerPercent: 50.5 }],
    ['no cards', { kind: 'query-cards', physicalNumbers: [] }],
    ['a card number too long', { kind: 'query-cards', physicalNumbers: ['A'.repeat(17)] }],
    ['a password too long', { kind: 'update-firmware', firmware: { ...anyFirmware(), password: 'x'.repeat(17) } }],
    ['a password of no ASCII', { kind: 'update-firmware', firmware: { ...anyFirmware(), password: '密码' } }],
    ['no time to download', { kind: 'update-firmware', firmware: { ...anyFirmware(), timeoutMinutes: 0 } }],
    ['a tariff without half hours', { kind: 'set-tariff', tariff: { ...anyTariff(), slots: [] } }],
  ])('%s cannot be sent', (_, command) => {
    expect(sentBy(command)).toEqual({ kind: 'failed' });
  });
});

describe('frames', () => {
  test("a start has the payer's card and balance", () => {
    expect(
      sentBy({
        kind: 'start-charge',
        connectorNumber: 12,
        cardNumber: '6230001',
        physicalCardNumber: 'aabbccdd',
        transaction: testTradeNo,
        availableFen: fen(12_345),
      }),
    ).toMatchObject([{ gunNo: 12, physCardNo: '00000000AABBCCDD', logicCardNo: '0000000006230001', balance: 12_345 }]);
  });

  test('a clock is set to the time at which the frame is sent', () => {
    const [part] = callOf({ kind: 'set-clock' }).parts;
    for (const at of [now, now + 45_000]) {
      const body = part?.bodyAt(at as typeof now) ?? new Uint8Array();
      expect(messageOf(writeRawFrame(0x56, body, 0))).toMatchObject({ time: at });
    }
  });

  test.each([
    ['clear-cards', 24],
    ['query-cards', 26],
  ] as const)('%s sends %i cards in a frame', (kind, size) => {
    const sent = sentBy({ kind, physicalNumbers: cards(size + 1) });
    expect(Array.isArray(sent) && sent.map((message) => message.cards.length)).toEqual([size, 1]);
  });

  test('firmware is fetched from the given address', () => {
    expect(
      sentBy({ kind: 'update-firmware', firmware: { ...anyFirmware(), current: 'ac', when: 'when_idle' } }),
    ).toEqual([
      {
        kind: 'ota-update',
        pileNo: testPileNo,
        pileModel: 2,
        power: 120,
        host: '10.0.0.1',
        port: 21,
        user: 'pile',
        password: 'secret',
        path: '/fw.bin',
        when: 2,
        timeoutMin: 5,
      },
    ]);
  });
});

describe('outcomes', () => {
  const balance: StationCommand = { kind: 'update-balance', connectorNumber: 1, availableFen: fen(1) };

  test.each([
    [0, { kind: 'accepted' }],
    [1, { kind: 'rejected', reason: 'wrong_station' }],
    [2, { kind: 'rejected', reason: 'wrong_card' }],
    [9, { kind: 'rejected', reason: 'other' }],
  ])('the reply 0x41 with %i has its outcome', (result, outcome) => {
    expect(outcomeOf(balance, 'balance-update-reply', { result })).toEqual(outcome);
  });

  test.each([
    [0, { kind: 'accepted' }],
    [1, { kind: 'rejected', reason: 'wrong_station' }],
    [2, { kind: 'rejected', reason: 'wrong_model' }],
    [3, { kind: 'rejected', reason: 'download_timeout' }],
    [7, { kind: 'rejected', reason: 'other' }],
  ])('the reply 0x93 with %i has its outcome', (state, outcome) => {
    expect(outcomeOf({ kind: 'update-firmware', firmware: anyFirmware() }, 'ota-reply', { state })).toEqual(outcome);
  });

  test('the reply 0x55 has the clock of the pile, or none', () => {
    expect(outcomeOf({ kind: 'set-clock' }, 'clock-set-reply', { time: now })).toEqual({
      kind: 'clock',
      stationTime: now,
    });
    expect(outcomeOf({ kind: 'set-clock' }, 'clock-set-reply', {})).toEqual({ kind: 'clock', stationTime: null });
  });

  test('the reply 0x45 says for each card whether it is gone: reasons 0 and 2 mean the same', () => {
    const items = [
      { physCardNo: '00000000000000AA', cleared: 1, failReason: 2 },
      { physCardNo: '00000000000000BB', cleared: 1, failReason: 0 },
      { physCardNo: '00000000000000CC', cleared: 0, failReason: 1 },
    ];
    const command: StationCommand = { kind: 'clear-cards', physicalNumbers: ['aa', 'BB', 'CC', 'DD'] };
    expect(outcomeOf(command, 'offline-card-clear-reply', { items })).toEqual({
      kind: 'cards',
      cards: [
        { physicalNumber: 'aa', done: true },
        { physicalNumber: 'BB', done: true },
        { physicalNumber: 'CC', done: false, reason: 'bad_card_number' },
        { physicalNumber: 'DD', done: false, reason: 'other' },
      ],
    });
  });

  test('the reply 0x47 says for each card whether it is there', () => {
    const items = [
      { physCardNo: '00000000000000AA', result: 1 },
      { physCardNo: '00000000000000BB', result: 0 },
    ];
    const command: StationCommand = { kind: 'query-cards', physicalNumbers: ['AA', 'BB', 'CC'] };
    expect(outcomeOf(command, 'offline-card-query-reply', { items })).toMatchObject({
      cards: [{ done: true }, { done: false }, { done: false }],
    });
  });

  test('the reply 0x43 concerns all cards of its frame', () => {
    const command: StationCommand = { kind: 'store-cards', cards: [{ number: '1', physicalNumber: 'AA' }] };
    expect(outcomeOf(command, 'offline-card-sync-reply', { result: 0, failReason: 1 })).toEqual({
      kind: 'cards',
      cards: [{ physicalNumber: 'AA', done: false, reason: 'bad_card_number' }],
    });
  });
});

function anyTariff() {
  const price = { electricityE5: 1, serviceE5: 2 };
  return {
    version: '0001',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: Array.from({ length: 48 }, () => 'flat' as const),
  };
}

function anyFirmware() {
  return {
    current: 'dc',
    ratedPowerKw: 120,
    host: '10.0.0.1',
    port: 21,
    user: 'pile',
    password: 'secret',
    path: '/fw.bin',
    when: 'now',
    timeoutMinutes: 5,
  } as const;
}

describe('what may be stored of a command', () => {
  const fields = {
    pileNo: testPileNo,
    pileModel: 1,
    power: 120,
    host: 'ftp.example',
    port: 21,
    user: 'pile',
    password: 'very-secret',
    path: '/fw.bin',
    when: 1,
    timeoutMin: 5,
  };

  test.each<[string, object]>([
    ['the fields of 0x94', fields],
    ['the bytes of 0x94', { hex: toHex(pileFrame('ota-update', fields).slice(6, -2)) }],
  ])('%s are stored without the password', (_what, payload) => {
    const stored = JSON.stringify(withoutSecrets({ kind: 'raw', action: '0x94', payload }));
    for (const secret of ['very-secret', toHex(new TextEncoder().encode('very-secret'))]) {
      expect(stored).not.toContain(secret);
    }
    expect(stored).toMatch(/\/fw\.bin|2F66772E62696E/);
  });

  test('new firmware is stored without the password', () => {
    const { host, port, user, password, path } = fields;
    const source = { current: 'dc', ratedPowerKw: 120, host, port, user, password, path } as const;
    const stored = withoutSecrets({
      kind: 'update-firmware',
      firmware: { ...source, when: 'now', timeoutMinutes: 5 },
    });
    expect(JSON.stringify(stored)).not.toContain(password);
  });

  test('any other command is stored unchanged', () => {
    for (const command of [
      { kind: 'reset', mode: 'soft' },
      { kind: 'raw', action: '0x92', payload: { when: 1 } },
      { kind: 'raw', action: '0x94', payload: null },
      { kind: 'raw', action: '0x94', payload: { hex: 'x' } },
    ] as const satisfies readonly StationCommand[]) {
      expect(withoutSecrets(command)).toEqual(command);
    }
  });
});
