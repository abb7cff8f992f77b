import type { PileMessage } from '@voltdeck/ykc/messages/all';
import type { Cancel } from '../timer-queue.ts';
import type { BillingModel } from './billing-model.ts';
import type { PileBoard } from './pile-board.ts';
import { pileTimes } from './pile-options.ts';

/** The billing model of a pile, and how the pile gets it. */
export class ModelExchange {
  readonly #pile: PileBoard;
  #model: BillingModel | null = null;
  /** Received during a charge. */
  #nextModel: BillingModel | null = null;
  #cancel: Cancel = () => {};

  constructor(pile: PileBoard) {
    this.#pile = pile;
  }

  get model(): BillingModel | null {
    return this.#model;
  }

  /** The link is lost, and with it pending requests. */
  pause(): void {
    this.#cancel();
  }

  /** Nothing is charging any more: applies a model that had to wait. */
  takeNext(): void {
    if (this.#nextModel !== null) this.take(this.#nextModel);
  }

  /**
   * Sends 0x05, and 0x09 when the platform has another model or the station has none; repeats both until they are
   * answered.
   */
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

  /** Only while nothing is charging (section 3.3). */
  take(model: BillingModel): boolean {
    if (this.#pile.guns.some((gun) => gun.charge !== null)) return false;
    this.#model = model;
    this.#nextModel = null;
    this.#pile.news.tell(() => ({ kind: 'model-received', modelNo: model.modelNo }));
    return true;
  }
}
