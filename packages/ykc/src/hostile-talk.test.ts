/** Whatever a pile sends in whatever order, the connection survives and serves the next frame. */

import { commandQueueMax } from '@voltdeck/connection/calls';
import { type Random, randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { callsOutMax } from './calls.ts';
import { step } from './connection.ts';
import { bodyAt, checkMessage, crcBytes, writeFrame, writeRawFrame } from './frame.ts';
import { toHex } from './hex.ts';
import { definitions, type MessageKind } from './messages/all.ts';
import { anyMessage, messageKinds, mutatedFrame } from './mutated-frames.ts';
import {
  agreeableBusiness,
  conversationStart,
  converse,
  type Decision,
  messageOf,
  pileFrame,
  testPileNo,
  testTradeNo,
} from './test-conversation.ts';

const seed = Number(process.env.SEED ?? 20_261_123);
const frames = 15_000;
/** Generous, for a busy machine. */
const patienceMs = 120_000;
const pileKinds = messageKinds.filter((kind) => definitions[kind].sender === 'pile');
const tradeNos = [testTradeNo, testTradeNo.replace(/7$/, '8'), '0'.repeat(32)];

/** A message of this pile with random values, about a few gun ports and charges. */
function ownFrame(kind: MessageKind, random: Random): Uint8Array {
  const values = anyMessage(kind, random);
  const checked = checkMessage(kind, {
    ...values,
    pileNo: testPileNo,
    ...('gunNo' in values && { gunNo: random(3) }),
    ...('tradeNo' in values && { tradeNo: tradeNos[random(tradeNos.length)] }),
    ...('state' in values && { state: random(5) }),
  });
  if (!checked.ok) throw new Error(checked.error.field);
  return writeFrame(checked.value, random(65_536));
}

/** A third of the frames are valid, a third have bytes of their body changed or cut, a third are random. */
function hostileFrame(random: Random): Uint8Array {
  const kind = pileKinds[random(pileKinds.length)] ?? 'heartbeat';
  const frame = ownFrame(kind, random);
  const manner = random(3);
  if (manner === 0) return frame;
  if (manner === 1) return mutatedFrame(random);
  const body = frame.slice(bodyAt, random(4) === 0 ? bodyAt + random(frame.length - bodyAt) : frame.length - crcBytes);
  for (let count = random(4); count > 0 && body.length > 0; count -= 1) body[random(body.length)] = random(256);
  return writeRawFrame(random(20) === 0 ? random(256) : definitions[kind].type, body, random(65_536));
}

function anyDecision(random: Random): (event: Parameters<typeof agreeableBusiness>[0]) => Decision {
  return (event) => {
    const isSafe = event.kind === 'booted' || event.kind === 'charge-stopped' || event.kind === 'heartbeat';
    return !isSafe && random(40) === 0 ? 'failed' : agreeableBusiness(event);
  };
}

test(
  `15,000 hostile frames throw nothing, are each logged once, and the connection serves the next frame (SEED=${seed})`,
  () => {
    const random = randomFrom(seed);
    const talk = converse({ decide: anyDecision(random) });
    const spent = talk.effects as { length: number };
    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let count = 0; count < frames; count += 1) {
      const bytes = hostileFrame(random);
      const before = bytes.slice();
      if (random(10) === 0) talk.commands({ kind: 'stop-charge', transaction: testTradeNo }, `c${count}`);
      let logged = 0;
      try {
        for (const effect of talk.feed({ kind: 'received', frame: bytes })) {
          note(effect.kind);
          if (effect.kind === 'event') note(effect.event.kind);
          if (effect.kind === 'exchange') logged += 1;
          if (effect.kind === 'exchange') note(effect.exchange.fault?.code ?? 'no fault');
          if (effect.kind === 'send') messageOf(effect.frame);
          if (effect.kind === 'close') throw new Error('closed');
          if (effect.kind === 'exchange' && !/^[0-9A-F]*$/.test(effect.exchange.requestText))
            throw new Error('no hexadecimal');
        }
      } catch (error) {
        throw new Error(`SEED=${seed}, frame ${count}: ${toHex(bytes)}`, { cause: error });
      }
      if (logged !== 1) throw new Error(`SEED=${seed}, frame ${count}: ${logged} exchanges for ${toHex(bytes)}`);
      if (bytes.some((byte, at) => byte !== before[at])) throw new Error(`SEED=${seed}, frame ${count}: was changed`);
      if (count % 10 === 0) {
        talk.wait(1_000);
        const reply = talk.says('heartbeat');
        if (reply.length !== 1) throw new Error(`SEED=${seed}, frame ${count}: no heartbeat after ${toHex(bytes)}`);
      }
      spent.length = 0;
    }
    // The frames reach every event and every fault.
    for (const what of [
      'booted',
      'heartbeat',
      'connector-state-changed',
      'charge-requested',
      'charge-started',
      'readings-taken',
      'charge-noted',
      'charge-stopped',
      'tariff-reported',
      'tariff-requested',
      'ground-lock-changed',
      'firmware-status-changed',
      'Unreadable',
      'UnknownType',
      'BodyTooShort',
      'Encrypted',
      'WrongDirection',
      'WrongStation',
      'WrongGun',
      'UnknownReply',
      'InternalError',
      'NoTariff',
      'no fault',
    ]) {
      expect([what, seen.get(what) ?? 0]).toEqual([what, expect.toSatisfy((times: number) => times > 0)]);
    }
    expect(talk.state.guns.length).toBeLessThanOrEqual(99);
    expect(talk.state).toMatchObject({ inbox: null, handed: null, inboxCount: 0 });
  },
  patienceMs,
);

describe('order and repetition', { timeout: patienceMs }, () => {
  const rounds = 100;
  const asking = pileKinds.filter((kind) => definitions[kind].answer !== null && kind !== 'login');

  test(`requests sent twice and in any order are each answered as often as sent, one event at a time (SEED=${seed})`, () => {
    const random = randomFrom(seed + 1);
    for (let round = 0; round < rounds; round += 1) {
      const once = asking.map((kind) => pileFrame(kind, { pileNo: testPileNo, tradeNo: testTradeNo, totalEnergy: 5 }));
      const all = shuffled([...once, ...once], random).map((frame, at) =>
        writeRawFrame(frame[5] ?? 0, frame.slice(bodyAt, -crcBytes), at),
      );
      const talk = converse({ decide: () => 'later' });
      let out = 0;
      const decide = () => {
        const event = talk.events.at(-1);
        if (event === undefined) return;
        out += talk.decides(agreeableBusiness(event)).filter(({ kind }) => kind === 'event').length - 1;
      };
      for (const frame of all) {
        out += talk.feed({ kind: 'received', frame }).filter(({ kind }) => kind === 'event').length;
        expect(out).toBeLessThanOrEqual(1);
        while (out > 0 && random(3) === 0) decide();
      }
      while (out > 0) decide();
      const ids = talk.exchanges.map(({ messageId }) => messageId);
      expect(ids.toSorted(), `SEED=${seed}, round ${round}`).toEqual(all.map((frame) => toHex(frame, 2, 4)).toSorted());
      // A missing tariff is the one request without an answer.
      expect(talk.sent).toHaveLength(all.length - 2);
      expect(
        talk.exchanges.every(({ messageId, replyText }) => replyText === null || replyText.slice(4, 8) === messageId),
      ).toBe(true);
      expect(talk.state.inboxCount).toBe(0);
    }
  });

  test(`inputs of every kind in any order keep every limit and settle every command once (SEED=${seed})`, () => {
    const random = randomFrom(seed + 2);
    for (let round = 0; round < rounds; round += 1) {
      const talk = converse({
        loggedIn: random(2) === 0,
        decide: (event) => (random(4) === 0 ? 'later' : agreeableBusiness(event)),
      });
      const commanded: string[] = [];
      for (let count = 0; count < 200; count += 1) {
        const { handed } = talk.state;
        const event = handed?.events[handed.index];
        switch (random(7)) {
          case 0:
            commanded.push(`${round}-${count}`);
            talk.commands(
              random(2) === 0
                ? { kind: 'set-clock' }
                : { kind: 'stop-charge', transaction: 0, connectorNumber: 1 + random(20) },
              `${round}-${count}`,
            );
            break;
          case 1:
            talk.says('clock-set-reply');
            break;
          case 2:
            talk.wait(random(9_000));
            break;
          case 3:
            talk.feed({
              kind: 'answered',
              ref: handed?.ref ?? 0,
              answer: event === undefined ? { kind: 'noted' } : agreeableBusiness(event),
            });
            break;
          case 4:
            talk.feed({ kind: 'refused', ref: handed?.ref ?? 0, because: random(9) === 0 ? 'unavailable' : 'failed' });
            break;
          default:
            talk.receives(ownFrame(pileKinds[random(pileKinds.length)] ?? 'heartbeat', random));
        }
        const { queue, out } = talk.state.calls ?? { queue: [], out: [] };
        const keys = new Set(out.map(({ call }) => call.replyKey));
        const asked = queue.filter(({ ref }) => ref !== null).length;
        if (asked > commandQueueMax || out.length > callsOutMax || keys.size < out.length) {
          throw new Error(`SEED=${seed}, round ${round}: ${asked} wait, ${out.length} are out, ${keys.size} differ`);
        }
      }
      talk.feed({ kind: 'closed' });
      expect(talk.settled.map(({ ref }) => ref).toSorted(), `SEED=${seed}, round ${round}`).toEqual(
        commanded.toSorted(),
      );
      expect(talk.state).toMatchObject({ inbox: null, calls: null, handed: null });
      const sentByUs = talk.sent.filter(({ kind }) => definitions[kind].answer !== null).length;
      const ended = talk.exchanges.filter(({ direction }) => direction === 'to-station').length;
      expect(ended, `SEED=${seed}, round ${round}`).toBe(sentByUs);
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
