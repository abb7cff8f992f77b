import { commandQueueMax } from '@voltdeck/connection/calls';
import { inboxPauseAt } from '@voltdeck/connection/inbox';
import { instant } from '@voltdeck/units/instant';
import { heartbeatMs, silenceHeartbeats } from '@voltdeck/ykc/connection';
import type { Message, MessageOf } from '@voltdeck/ykc/messages/all';
import {
  conversationStart,
  converse,
  messageOf,
  pileFrame,
  testPileNo,
  testTradeNo,
} from '@voltdeck/ykc/test-conversation';
import { callTimeoutMs } from '@voltdeck/ykc/translate-commands';
import { type BenchCharge, floorOn, type ProtocolBench, type Reply, type Saying } from './protocol-bench.ts';

const charge: BenchCharge = { connectorNumber: 1, transaction: testTradeNo, cardNumber: '00000000AABBCCDD' };

export const ykcBench: ProtocolBench = {
  protocol: 'ykc',
  charge,
  cardNumber: charge.cardNumber,
  silenceMs: silenceHeartbeats * heartbeatMs,
  callTimeoutMs,
  commandQueueMax,
  inboxPauseAt,
  command: {
    'start-charge': { kind: 'start-charge', connectorNumber: 1, cardNumber: '6230001', transaction: testTradeNo },
    'stop-charge': { kind: 'stop-charge', transaction: testTradeNo },
    reset: { kind: 'reset', mode: 'soft' },
  },
  open: (decide, { booted = true } = {}) => {
    const talk = converse({ loggedIn: booted, decide });
    let sequence = 100;
    let last = new Uint8Array();
    let called: Message | null = null;
    const repliesIn = (messages: readonly Message[]) => messages.flatMap(replyOf);
    const receive = (frame: Uint8Array) => {
      last = new Uint8Array(frame);
      return repliesIn(talk.receives(frame));
    };
    return floorOn(talk, {
      says(saying) {
        if (saying.kind === 'garbage') return receive(Uint8Array.of(0x68, 0x05, 0x00));
        sequence += 1;
        return receive(frameOf(saying, sequence));
      },
      repeats: () => receive(last),
      commands(command, ref) {
        const sent = talk.commands(command, ref);
        called = sent.at(-1) ?? called;
        return sent.length;
      },
      answers(reply) {
        const frame = called === null ? null : answerTo(called, reply === 'yes' ? 1 : 0);
        if (frame !== null) talk.receives(frame);
      },
      decides: (decision) =>
        repliesIn(
          talk.decides(decision).flatMap((effect) => (effect.kind === 'send' ? [messageOf(effect.frame)] : [])),
        ),
      isThinking: () => talk.state.handed !== null,
      loses: () => void talk.feed({ kind: 'closed' }),
    });
  },
};

const pileNo = testPileNo;
const tenthsPerWh = 10;

function frameOf(saying: Exclude<Saying, { kind: 'garbage' }>, sequence: number): Uint8Array {
  const live = (fields: Partial<MessageOf<'realtime-data'>>) =>
    pileFrame('realtime-data', { pileNo, ...fields }, sequence);
  switch (saying.kind) {
    case 'boot':
      return pileFrame('login', { pileNo, protoVersion: 16, gunCount: 2 }, sequence);
    case 'heartbeat':
      return pileFrame('heartbeat', { pileNo }, sequence);
    case 'card':
      return pileFrame('charge-application', { pileNo, startMode: 1, account: saying.cardNumber }, sequence);
    case 'state':
      return live({ gunNo: saying.connectorNumber, state: saying.state === 'free' ? 2 : 1 });
    case 'begin':
      return live({ ...chargeFields(saying.charge), state: 3, plugged: 1 });
    case 'reading':
      return live({ ...chargeFields(saying.charge), state: 3, plugged: 1, energy: saying.energyWh * tenthsPerWh });
    case 'end':
      return pileFrame(
        'transaction-record',
        {
          pileNo,
          ...chargeFields(saying.charge),
          startTime: instant(conversationStart - 60_000),
          endTime: conversationStart,
          totalEnergy: saying.energyWh * tenthsPerWh,
          stopReason: 0x45,
        },
        sequence,
      );
  }
}

function chargeFields({ transaction, connectorNumber }: BenchCharge): { tradeNo: string; gunNo: number } {
  return { tradeNo: String(transaction), gunNo: connectorNumber };
}

/** Live data get no answer: a charge that is not allowed is stopped by a call. */
function replyOf(message: Message): readonly Reply[] {
  switch (message.kind) {
    case 'login-answer':
    case 'transaction-record-confirm':
      return [message.result === 0 ? 'yes' : 'no'];
    case 'charge-application-answer':
      return [message.authOk === 1 ? 'yes' : 'no'];
    case 'heartbeat-answer':
      return ['yes'];
    case 'remote-stop':
      return ['no'];
    default:
      return [];
  }
}

function answerTo(called: Message, result: 0 | 1): Uint8Array | null {
  switch (called.kind) {
    case 'remote-start':
      return pileFrame('remote-start-reply', {
        pileNo,
        gunNo: called.gunNo,
        tradeNo: called.tradeNo,
        result,
        failReason: 3 * (1 - result),
      });
    case 'remote-stop':
      return pileFrame('remote-stop-reply', { pileNo, gunNo: called.gunNo, result, failReason: 2 * (1 - result) });
    case 'reboot':
      return pileFrame('reboot-reply', { pileNo, result });
    default:
      return null;
  }
}
