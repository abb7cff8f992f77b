import { commandQueueMax } from '@voltdeck/connection/calls';
import { inboxPauseAt } from '@voltdeck/connection/inbox';
import { callTimeoutMs, silenceHeartbeats, silenceMinMs } from '@voltdeck/ocpp16/connection';
import { converse, payloadOf } from '@voltdeck/ocpp16/test-conversation';
import { toIso } from '@voltdeck/units/instant';
import { type BenchCharge, floorOn, type ProtocolBench, type Reply, type Saying } from './protocol-bench.ts';

const heartbeatSeconds = 300;
const charge: BenchCharge = { connectorNumber: 1, transaction: 1001, cardNumber: 'CARD0001' };

export const ocppBench: ProtocolBench = {
  protocol: 'ocpp1.6',
  charge,
  cardNumber: charge.cardNumber,
  silenceMs: Math.max(silenceMinMs, silenceHeartbeats * heartbeatSeconds * 1_000),
  callTimeoutMs,
  commandQueueMax,
  inboxPauseAt,
  command: {
    'start-charge': { kind: 'start-charge', connectorNumber: 1, cardNumber: charge.cardNumber },
    'stop-charge': { kind: 'stop-charge', transaction: charge.transaction },
    reset: { kind: 'reset', mode: 'soft' },
  },
  open: (decide, { booted = true } = {}) => {
    const talk = converse({ booted, decide, heartbeatSeconds });
    const startedAt = toIso(talk.now);
    let ids = 0;
    let last = '';
    const isCall = (text: string) => text.startsWith('[2,');
    const repliesIn = (texts: readonly string[]) => texts.filter((text) => !isCall(text)).map(replyOf);
    const receive = (text: string) => {
      last = text;
      return repliesIn(talk.receives(text));
    };
    return floorOn(talk, {
      says(saying) {
        if (saying.kind === 'garbage') return receive('{"no":"frame"}');
        ids += 1;
        return receive(JSON.stringify([2, `m${ids}`, ...callOf(saying, startedAt, toIso(talk.now))]));
      },
      repeats: () => receive(last),
      commands: (command, ref) => talk.commands(command, ref).length,
      answers: (reply) => void talk.results({ status: reply === 'yes' ? 'Accepted' : 'Rejected' }),
      decides: (decision) =>
        repliesIn(talk.decides(decision).flatMap((effect) => (effect.kind === 'send' ? [effect.frame] : []))),
      isThinking: () => talk.state.handed !== null,
      loses: () => void talk.feed({ kind: 'closed' }),
    });
  },
};

function callOf(
  saying: Exclude<Saying, { kind: 'garbage' }>,
  startedAt: string,
  now: string,
): readonly [string, object] {
  switch (saying.kind) {
    case 'boot':
      return ['BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' }];
    case 'heartbeat':
      return ['Heartbeat', {}];
    case 'card':
      return ['Authorize', { idTag: saying.cardNumber }];
    case 'state': {
      const isFree = saying.state === 'free';
      return [
        'StatusNotification',
        {
          connectorId: saying.connectorNumber,
          errorCode: isFree ? 'NoError' : 'InternalError',
          status: isFree ? 'Available' : 'Faulted',
        },
      ];
    }
    case 'begin': {
      const { connectorNumber, cardNumber } = saying.charge;
      return [
        'StartTransaction',
        { connectorId: connectorNumber, idTag: cardNumber, meterStart: 0, timestamp: startedAt },
      ];
    }
    case 'reading': {
      const { connectorNumber, transaction } = saying.charge;
      const sampledValue = [{ value: String(saying.energyWh), measurand: 'Energy.Active.Import.Register' }];
      return [
        'MeterValues',
        { connectorId: connectorNumber, transactionId: transaction, meterValue: [{ timestamp: now, sampledValue }] },
      ];
    }
    case 'end':
      return [
        'StopTransaction',
        { transactionId: saying.charge.transaction, meterStop: saying.energyWh, timestamp: startedAt },
      ];
  }
}

/** An error, or a status other than Accepted, is a refusal. */
function replyOf(text: string): Reply {
  const frame: unknown = JSON.parse(text);
  if (!Array.isArray(frame) || frame[0] !== 3) return 'no';
  const { status, idTagInfo } = payloadOf(frame) as { status?: string; idTagInfo?: { status?: string } };
  return (status ?? idTagInfo?.status ?? 'Accepted') === 'Accepted' ? 'yes' : 'no';
}
