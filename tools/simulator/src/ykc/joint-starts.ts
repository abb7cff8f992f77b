import { secondMs } from '@voltdeck/units/instant';
import type { MessageOf } from '@voltdeck/ykc/messages/all';
import { startReply } from './answer-platform.ts';
import type { Gun } from './gun.ts';
import type { PileBoard } from './pile-board.ts';

const togetherWithinMs = 5 * secondMs;

type TogetherStart = { message: MessageOf<'remote-parallel-start'>; sequence: number };

/** Starts of several guns for one vehicle (1.6). */
export class JointStarts {
  readonly #pile: PileBoard;
  readonly #startRemotely: (gun: Gun, message: MessageOf<'remote-start'>) => void;
  readonly #waiting = new Map<string, TogetherStart[]>();

  constructor(pile: PileBoard, startRemotely: (gun: Gun, message: MessageOf<'remote-start'>) => void) {
    this.#pile = pile;
    this.#startRemotely = startRemotely;
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** 0xA4 comes for each gun: all are answered alike, after the last has come or timed out. */
  add(start: TogetherStart): void {
    const { parallelNo } = start.message;
    const starts = [...(this.#waiting.get(parallelNo) ?? []), start];
    this.#waiting.set(parallelNo, starts);
    if (starts.length === this.#pile.guns.length) this.#decide(parallelNo);
    else if (starts.length === 1) this.#pile.power.timers.after(togetherWithinMs, () => this.#decide(parallelNo));
  }

  #decide(parallelNo: string): void {
    const starts = this.#waiting.get(parallelNo);
    if (starts === undefined) return;
    this.#waiting.delete(parallelNo);
    const guns = starts.map(({ message }) => this.#pile.guns[message.gunNo - 1]);
    const isComplete = new Set(guns).size === this.#pile.guns.length && this.#pile.refusal() === null;
    const isPlugged = guns.every((gun) => gun !== undefined && gun.vehicle !== null);
    const isFree = guns.every((gun) => gun?.isFree === true);
    const failure = !isComplete ? 'equipment-fault' : !isFree ? 'already-charging' : isPlugged ? 'none' : 'not-plugged';
    for (const [index, { message, sequence }] of starts.entries()) {
      const { kind: _kind, ...reply } = startReply({ ...message, kind: 'remote-start' }, failure);
      this.#pile.send(
        { kind: 'remote-parallel-start-reply', ...reply, masterFlag: index === 0 ? 0 : 1, parallelNo },
        sequence,
      );
    }
    if (failure !== 'none') return;
    for (const { message } of starts) {
      const gun = this.#pile.guns[message.gunNo - 1];
      if (gun !== undefined) this.#startRemotely(gun, { ...message, kind: 'remote-start' });
    }
  }
}
