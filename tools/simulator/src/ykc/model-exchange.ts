import type { PileMessage } from '@voltdeck/ykc/messages/all';
import type { Cancel } from '../timer-queue.ts';
import type { BillingModel } from './billing-model.ts';
import type { PileBoard } from './pile-board.ts';
import { pileTimes } from './pile-options.ts';

/** The billing model that a pile runs, and how it gets one. */
export class ModelExchange {
  readonly #pile: PileBoard;
  #model: BillingModel | null = null;
  /** Came while a charge ran. */
  #nextModel: BillingModel | null = null;
  #cancel: Cancel = () => {};

  constructor(pile: PileBoard) {
    this.#pile = pile;
  }

  get model(): BillingModel | null {
    return this.#model;
  }

  /** The link is gone, and with it what was asked. */
  pause(): void {
    this.#cancel();
  }

  /** Nothing charges any more: a model that had to wait is taken. */
  takeNext(): void {
    if (this.#nextModel !== null) this.take(this.#nextModel);
  }

  /** 0x05, and 0x09 when the platform has another model or the station has none; both until they are answered. */
  verify(): void {
    const verify: PileMessage = {
      kind: 'billing-model-verify',
      pileNo: this.#pile.number,
      modelNo: this.#model?.modelNo ?? '0000',
    };
    void this.#pile.ask(verify, 'billing-model-verify-answer').then((answer) => {
      if (!this.#pile.isSignedIn) return;
      if (answer?.kind !== 'billing-model-verify-answer') this.#later(() => this.verify());
      else if (answer.result !== 0 || this.#model === null) this.#request();
    });
  }

  #request(): void {
    void this.#pile
      .ask({ kind: 'billing-model-request', pileNo: this.#pile.number }, 'billing-model-answer')
      .then((answer) => {
        if (!this.#pile.isSignedIn) return;
        if (answer?.kind !== 'billing-model-answer') return this.#later(() => this.#request());
        const { kind: _kind, pileNo: _pileNo, ...model } = answer;
        if (!this.take(model)) this.#nextModel = model;
      });
  }

  #later(run: () => void): void {
    this.#cancel();
    this.#cancel = this.#pile.power.timers.after(pileTimes.askAgainMs, run);
  }

  /** Only while nothing charges (section 3.3). */
  take(model: BillingModel): boolean {
    if (this.#pile.guns.some((gun) => gun.charge !== null)) return false;
    this.#model = model;
    this.#nextModel = null;
    this.#pile.news.tell(() => ({ kind: 'model-received', modelNo: model.modelNo }));
    return true;
  }
}
