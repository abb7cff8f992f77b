/** Whatever a station sends in whatever order, the connection survives and serves the next call. */
import { commandQueueMax } from '@voltdeck/connection/calls';
import { describe, expect, test } from 'vitest';
import { outstandingCall, step } from './connection.ts';
import { readFrame } from './frame.ts';
import { agreeableBusiness, conversationStart, converse } from './test-conversation.ts';

const seed = Number(process.env.SEED ?? 20_261_121);

/** A repeatable random generator (mulberry32): integers from 0 to below `below`. */
function randomness(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const timestamp = '2026-11-21T07:59:00Z';
const sampledValue = [
  { value: '12345.6', measurand: 'Energy.Active.Import.Register', unit: 'Wh', context: 'Sample.Periodic' },
  { value: '7200', measurand: 'Power.Active.Import', unit: 'W', phase: 'L1' },
];
const validCalls: readonly (readonly [string, object])[] = [
  ['Authorize', { idTag: 'CARD' }],
  ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', chargePointSerialNumber: 'S' }],
  ['DataTransfer', { vendorId: 'v', messageId: 'm', data: 'd' }],
  ['DiagnosticsStatusNotification', { status: 'Idle' }],
  ['FirmwareStatusNotification', { status: 'Idle' }],
  ['Heartbeat', {}],
  ['MeterValues', { connectorId: 1, transactionId: 1001, meterValue: [{ timestamp, sampledValue }] }],
  ['LogStatusNotification', { status: 'Uploaded', requestId: 1 }],
  ['SecurityEventNotification', { type: 'FirmwareUpdated', timestamp, techInfo: 'v2' }],
  ['SignCertificate', { csr: 'PEM' }],
  ['SignedFirmwareStatusNotification', { status: 'SignatureVerified', requestId: 1 }],
  ['StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 100, timestamp }],
  ['StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp }],
  [
    'StopTransaction',
    {
      transactionId: 1001,
      meterStop: 5000,
      timestamp,
      reason: 'Local',
      transactionData: [{ timestamp, sampledValue }],
    },
  ],
];
const frames: readonly (readonly unknown[])[] = [
  ...validCalls.map(([action, payload]) => [2, 'id-1', action, payload]),
  [3, 'c-1', { status: 'Accepted' }],
  [4, 'c-1', 'GenericError', 'why', {}],
];

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  '\0',
  '\ud800',
  'x'.repeat(300),
  'constructor',
  '__proto__',
  '1970-01-01T00:00:00Z',
  [],
  {},
  [[[[]]]],
  { __proto__: null, toString: 1 },
];

const oddNames = ['', '\0', '__proto__', 'constructor', 'connectorId', 'x'.repeat(300)];

type Random = (below: number) => number;

function mutateText(text: string, random: Random): string {
  let mutated = text;
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const at = random(mutated.length + 1);
    switch (random(5)) {
      case 0:
        mutated = mutated.slice(0, at) + mutated.slice(at + 1 + random(4));
        break;
      case 1:
        mutated =
          mutated.slice(0, at) + String.fromCharCode(random(random(2) === 0 ? 128 : 65_536)) + mutated.slice(at + 1);
        break;
      case 2:
        mutated = mutated.slice(0, at) + '[]{}",:0\\e-.'.charAt(random(12)) + mutated.slice(at);
        break;
      case 3:
        mutated = mutated.slice(0, at);
        break;
      default:
        mutated = mutated.slice(0, at) + mutated.slice(random(mutated.length + 1));
    }
  }
  return mutated;
}

function mutateValue(value: unknown, random: Random): unknown {
  if (random(6) === 0) return oddValues[random(oddValues.length)];
  if (Array.isArray(value)) {
    const items: unknown[] = [...value];
    if (items.length === 0) return items;
    const at = random(items.length);
    const choice = random(8);
    if (choice === 0) items.splice(at, 1);
    else if (choice === 1) items.splice(at, 0, items[random(items.length)]);
    else items[at] = mutateValue(items[at], random);
    return items;
  }
  if (typeof value !== 'object' || value === null) return oddValues[random(oddValues.length)];
  const entries = Object.entries(value);
  const at = random(entries.length + 1);
  const entry = entries[at];
  if (entry === undefined)
    return { ...value, [oddNames[random(oddNames.length)] ?? '']: oddValues[random(oddValues.length)] };
  const choice = random(6);
  if (choice === 0) entries.splice(at, 1);
  else if (choice === 1) entries[at] = [`${entry[0]}x`, entry[1]];
  else entries[at] = [entry[0], mutateValue(entry[1], random)];
  return Object.fromEntries(entries);
}

/** A third is broken as text, a third as a frame, a third only in the payload; replies are to the current call. */
function mutatedFrame(random: Random, callId: string): string {
  const chosen = frames[random(frames.length)] ?? [];
  const frame = chosen[0] === 2 ? chosen : [chosen[0], callId, ...chosen.slice(2)];
  const manner = random(3);
  if (manner === 0) return mutateText(JSON.stringify(frame), random);
  if (manner === 1) return JSON.stringify(mutateValue(frame, random)) ?? '';
  const at = frame[0] === 2 ? 3 : 2;
  return JSON.stringify(frame.with(at, mutateValue(frame[at], random)));
}

test(`100,000 mutated frames throw nothing, are each logged once, and the connection serves the next call (seed ${seed})`, () => {
  const random = randomness(seed);
  const talk = converse();
  const emptySize = JSON.stringify(talk.state).length;
  const nextLine = talk.effects as { length: number };
  let received = 0;
  let served = 0;
  const kindsSeen = new Map<string, number>();
  for (let count = 0; count < 100_000; count += 1) {
    if (outstandingCall(talk.state) === null) talk.commands({ kind: 'clear-cache' }, `command-${count}`);
    const text = mutatedFrame(random, outstandingCall(talk.state)?.sent.messageId ?? '');
    let exchanges = 0;
    try {
      for (const effect of talk.feed({ kind: 'received', frame: text })) {
        kindsSeen.set(effect.kind, (kindsSeen.get(effect.kind) ?? 0) + 1);
        if (effect.kind === 'exchange') exchanges += 1;
        if (effect.kind === 'exchange' && /\0/.test(JSON.stringify(effect))) throw new Error('NUL in the log');
        if (effect.kind === 'event' && JSON.stringify(effect).includes('\\u0000')) throw new Error('NUL in an event');
        if (effect.kind === 'send') expect(readFrame(effect.frame).kind).toMatch(/result|error/);
        if (effect.kind === 'close') throw new Error('closed');
      }
    } catch (error) {
      throw new Error(`seed ${seed}, frame ${count}: ${text}`, { cause: error });
    }
    received += 1;
    if (exchanges !== 1) throw new Error(`seed ${seed}, frame ${count}: ${exchanges} exchanges for ${text}`);
    if (talk.state.boot !== 'accepted')
      talk.calls('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
    if (count % 10 === 0) {
      const reply = talk.calls('Heartbeat', {}, `beat-${count}`);
      if (reply?.[0] !== 3) throw new Error(`seed ${seed}, frame ${count}: no heartbeat after ${text}`);
      served += 1;
    }
    nextLine.length = 0;
  }
  talk.results({ status: 'Accepted' });
  expect(received).toBe(100_000);
  expect(served).toBe(10_000);
  expect(kindsSeen.get('event')).toBeGreaterThan(15_000);
  expect(kindsSeen.get('command-settled')).toBeGreaterThan(5_000);
  expect(kindsSeen.get('send')).toBeGreaterThan(kindsSeen.get('event') ?? 0);
  expect(talk.state).toMatchObject({
    inbox: null,
    calls: null,
    inboxCount: 0,
    inboxChars: 0,
    handed: null,
  });
  expect(JSON.stringify(talk.state).length).toBeLessThan(emptySize + 50);
});

describe('order and repetition', () => {
  const rounds = 300;

  test(`calls sent twice and in any order are each answered as often as sent, one event at a time (seed ${seed})`, () => {
    const random = randomness(seed + 1);
    for (let round = 0; round < rounds; round += 1) {
      const texts = shuffled(
        [...validCalls, ...validCalls].map(([action, payload], at) =>
          JSON.stringify([2, `m${at % validCalls.length}`, action, payload]),
        ),
        random,
      );
      const talk = converse({ decide: () => 'later' });
      const pending: string[] = [];
      let out = 0;
      const replies: string[] = [];
      const take = (effects: ReturnType<typeof talk.feed>) => {
        for (const effect of effects) {
          if (effect.kind === 'event') {
            out += 1;
            pending.push(effect.event.kind);
          }
          if (effect.kind === 'send') replies.push(String(JSON.parse(effect.frame)[1]));
        }
        expect(out).toBeLessThanOrEqual(1);
      };
      const decide = () => {
        const event = talk.events.at(-1);
        if (event === undefined) return;
        out -= 1;
        pending.shift();
        take(talk.decides(agreeableBusiness(event)));
      };
      for (const text of texts) {
        take(talk.feed({ kind: 'received', frame: text }));
        while (out > 0 && random(3) === 0) decide();
      }
      while (out > 0) decide();
      const expected = texts.map((text) => String(JSON.parse(text)[1]));
      expect(replies.toSorted(), `seed ${seed}, round ${round}`).toEqual(expected.toSorted());
      expect(talk.exchanges).toHaveLength(texts.length);
      expect(talk.state.inboxCount).toBe(0);
    }
  });

  test(`inputs of every kind in any order keep every limit and settle every command once (seed ${seed})`, () => {
    const random = randomness(seed + 2);
    for (let round = 0; round < rounds; round += 1) {
      const talk = converse({
        booted: random(2) === 0,
        decide: (event) => (random(4) === 0 ? 'later' : agreeableBusiness(event)),
      });
      const commanded: string[] = [];
      for (let count = 0; count < 200; count += 1) {
        const handedEvent = talk.state.handed?.events[0];
        switch (random(8)) {
          case 0:
            commanded.push(`${round}-${count}`);
            talk.commands({ kind: 'clear-cache' }, `${round}-${count}`);
            break;
          case 1:
            talk.results({ status: 'Accepted' });
            break;
          case 2:
            talk.errors('GenericError');
            break;
          case 3:
            talk.wait(random(40_000));
            break;
          case 4:
            talk.feed({
              kind: 'answered',
              ref: talk.state.handed?.ref ?? 0,
              answer: handedEvent === undefined ? { kind: 'noted' } : agreeableBusiness(handedEvent),
            });
            break;
          case 5:
            talk.feed({
              kind: 'refused',
              ref: talk.state.handed?.ref ?? 0,
              because: random(2) === 0 ? 'failed' : 'unavailable',
            });
            break;
          default: {
            const [action, payload] = validCalls[random(validCalls.length)] ?? ['Heartbeat', {}];
            talk.calls(action, payload, `m${random(20)}`);
          }
        }
        const calls = talk.sent.filter((text) => text.startsWith('[2,')).length;
        const ended = talk.exchanges.filter((exchange) => exchange.direction === 'to-station').length;
        expect(calls - ended, `seed ${seed}, round ${round}`).toBe(outstandingCall(talk.state) === null ? 0 : 1);
        expect(talk.state.calls?.queue.length ?? 0).toBeLessThanOrEqual(commandQueueMax);
      }
      talk.feed({ kind: 'closed' });
      expect(talk.settled.map(({ ref }) => ref).toSorted(), `seed ${seed}, round ${round}`).toEqual(
        commanded.toSorted(),
      );
      expect(talk.state).toMatchObject({ inbox: null, calls: null });
    }
  });

  test('a step changes the state in place and returns it', () => {
    const { state } = converse();
    expect(step(state, { kind: 'pong' }, conversationStart).state).toBe(state);
  });
});

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  const result: Item[] = [];
  while (left.length > 0) result.push(...left.splice(random(left.length), 1));
  return result;
}
