import { secondMs } from '@voltdeck/units/instant';
import type { MessageOf, PileMessage, PlatformMessage } from '@voltdeck/ykc/messages/all';
import { startFailure, stopFailure } from '@voltdeck/ykc/messages/charging';
import { codeOf } from '@voltdeck/ykc/messages/field';
import type { BillingModel } from './billing-model.ts';
import { type Gun, noCard } from './gun.ts';

/** What the platform may do to a station. */
export type Directed = {
  readonly number: string;
  readonly isDc: boolean;
  readonly guns: readonly Gun[];
  /** Physical card number to the printed one. */
  readonly offlineCards: Map<string, string>;
  readonly hasGroundLocks: boolean;
  readonly lockJams: boolean;
  readonly softwareVersion: string;
  /** Why no gun may start now; null if one may. */
  refusal(): 'equipment-fault' | null;
  stationTime(): number;
  send(message: PileMessage, sequence?: number): void;
  sendRealtime(gun: Gun): void;
  startRemotely(gun: Gun, message: MessageOf<'remote-start'>, sequence: number): void;
  startTogether(message: MessageOf<'remote-parallel-start'>, sequence: number): void;
  stopRemotely(gun: Gun): void;
  waitForPlug(gun: Gun, message: MessageOf<'remote-start'>, sequence: number): void;
  takeModel(model: BillingModel): boolean;
  setWork(permission: { allowed: boolean; powerPercent: number }): void;
  moveLock(gun: Gun, to: 'raised' | 'lowered'): void;
  reboot(when: 'immediately' | 'when-idle'): void;
  update(download: { softwareVersion: string; when: 'immediately' | 'when-idle'; durationMs: number }): void;
};

type Command = Exclude<
  PlatformMessage,
  MessageOf<
    | 'login-answer'
    | 'heartbeat-answer'
    | 'billing-model-verify-answer'
    | 'billing-model-answer'
    | 'charge-application-answer'
    | 'parallel-charge-application-answer'
    | 'transaction-record-confirm'
  >
>;
type Handlers = {
  readonly [Kind in Command['kind']]: (
    station: Directed,
    message: MessageOf<Kind>,
    answer: (message: PileMessage) => void,
    sequence: number,
  ) => void;
};

const storedCardsMax = 500;
const downloadMs = 20 * secondMs;
const cardFormat = /^(?!0{16}$)[0-9A-F]{16}$/;

/** The firmware's answer to a command of the platform, and its consequences. */
export function answerPlatform(station: Directed, message: Command, sequence: number): void {
  const handle = handlers[message.kind] as Handlers[Command['kind']];
  handle(station, message as never, (answer) => station.send(answer, sequence), sequence);
}

export function isCommand(message: { kind: string }): message is Command {
  return message.kind in handlers;
}

export function startReply(
  { tradeNo, pileNo, gunNo }: MessageOf<'remote-start'>,
  failure: Parameters<typeof codeOf<'none' | 'already-charging' | 'equipment-fault' | 'not-plugged'>>[1],
): MessageOf<'remote-start-reply'> {
  const failReason = codeOf(startFailure, failure);
  return { kind: 'remote-start-reply', tradeNo, pileNo, gunNo, result: failReason === 0 ? 1 : 0, failReason };
}

const gunOf = (station: Directed, number: number): Gun | undefined => station.guns[number - 1];

const handlers: Handlers = {
  'read-realtime-data': (station, { gunNo }) => {
    const gun = gunOf(station, gunNo);
    if (gun !== undefined) station.sendRealtime(gun);
  },

  'remote-start': (station, message, answer, sequence) => {
    const gun = gunOf(station, message.gunNo);
    // A repeated command is the same command.
    if (gun?.charge?.tradeNo === message.tradeNo) return answer(startReply(message, 'none'));
    if (gun === undefined || gun.fault !== null || station.refusal() !== null) {
      return answer(startReply(message, 'equipment-fault'));
    }
    if (gun.charge !== null || gun.applying) return answer(startReply(message, 'already-charging'));
    if (gun.vehicle === null) {
      answer(startReply(message, 'not-plugged'));
      return station.waitForPlug(gun, message, sequence);
    }
    answer(startReply(message, 'none'));
    station.startRemotely(gun, message, sequence);
  },

  'remote-parallel-start': (station, message, _answer, sequence) => station.startTogether(message, sequence),

  'remote-stop': (station, { pileNo, gunNo }, answer) => {
    const gun = gunOf(station, gunNo);
    const isStopped = gun !== undefined && (gun.charge !== null || gun.claim !== null);
    const failReason = codeOf(stopFailure, isStopped ? 'none' : 'not-charging');
    answer({ kind: 'remote-stop-reply', pileNo, gunNo, result: isStopped ? 1 : 0, failReason });
    if (isStopped) station.stopRemotely(gun);
  },

  'balance-update': (station, { pileNo, gunNo, physCardNo, balance }, answer) => {
    const charge = gunOf(station, gunNo)?.charge ?? null;
    const isOwner = charge !== null && (physCardNo === noCard || physCardNo === charge.card);
    if (isOwner) charge.balanceFen = balance;
    answer({ kind: 'balance-update-reply', pileNo, physCardNo, result: isOwner ? 0 : 2 });
  },

  'offline-card-sync': (station, { pileNo, cards }, answer) => {
    const { offlineCards } = station;
    const isWrong = cards.some(({ physCardNo }) => !cardFormat.test(physCardNo));
    const added = cards.filter(({ physCardNo }) => !offlineCards.has(physCardNo)).length;
    const failReason = isWrong ? 1 : offlineCards.size + added > storedCardsMax ? 2 : 0;
    if (failReason === 0) for (const card of cards) offlineCards.set(card.physCardNo, card.logicCardNo);
    answer({ kind: 'offline-card-sync-reply', pileNo, result: failReason === 0 ? 1 : 0, failReason });
  },

  'offline-card-clear': ({ offlineCards }, { pileNo, cards }, answer) => {
    const items = cards.map(({ physCardNo }) => {
      offlineCards.delete(physCardNo);
      const isSound = cardFormat.test(physCardNo);
      return { physCardNo, cleared: isSound ? 1 : 0, failReason: isSound ? 0 : 1 };
    });
    answer({ kind: 'offline-card-clear-reply', pileNo, items });
  },

  'offline-card-query': ({ offlineCards }, { pileNo, cards }, answer) => {
    const items = cards.map(({ physCardNo }) => ({ physCardNo, result: offlineCards.has(physCardNo) ? 1 : 0 }));
    answer({ kind: 'offline-card-query-reply', pileNo, items });
  },

  'work-parameter-set': (station, { pileNo, disabled, maxPowerPct }, answer) => {
    const isSound = disabled <= 1 && maxPowerPct >= 30 && maxPowerPct <= 100;
    if (isSound) station.setWork({ allowed: disabled === 0, powerPercent: maxPowerPct });
    answer({ kind: 'work-parameter-reply', pileNo, result: isSound ? 1 : 0 });
  },

  'clock-set': (station, { pileNo, time }, answer) => {
    // A right clock takes over the time; a wrong one (see faults) answers with the time that it keeps showing.
    const shown = station.stationTime();
    const isClose = time !== null && Math.abs(shown - time) < 2 * secondMs;
    answer({ kind: 'clock-set-reply', pileNo, time: isClose ? time : (shown as typeof time) });
  },

  'billing-model-set': (station, { kind: _kind, pileNo, ...model }, answer) => {
    answer({ kind: 'billing-model-set-reply', pileNo, result: station.takeModel(model) ? 1 : 0 });
  },

  'ground-lock-command': (station, { pileNo, gunNo, action }, answer) => {
    const gun = gunOf(station, gunNo);
    const to = action === 0x55 ? 'raised' : action === 0xff ? 'lowered' : null;
    const moves = gun !== undefined && to !== null && station.hasGroundLocks && !station.lockJams;
    answer({ kind: 'ground-lock-command-reply', pileNo, gunNo, result: moves ? 1 : 0 });
    if (moves) station.moveLock(gun, to);
  },

  reboot: (station, { pileNo, when }, answer) => {
    const isSound = when === 1 || when === 2;
    answer({ kind: 'reboot-reply', pileNo, result: isSound ? 1 : 0 });
    if (isSound) station.reboot(when === 1 ? 'immediately' : 'when-idle');
  },

  'ota-update': (station, { pileNo, pileModel, path, when, timeoutMin }, answer) => {
    if (pileModel !== (station.isDc ? 1 : 2)) return answer({ kind: 'ota-reply', pileNo, state: 2 });
    if (timeoutMin === 0) return answer({ kind: 'ota-reply', pileNo, state: 3 });
    // 0x93 comes when the update is finished, not at once.
    const softwareVersion = /\d+(?:\.\d+)+/.exec(path)?.[0].slice(0, 8) ?? station.softwareVersion;
    station.update({ softwareVersion, when: when === 2 ? 'when-idle' : 'immediately', durationMs: downloadMs });
  },
};
