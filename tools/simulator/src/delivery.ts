import type { Clock } from './clock.ts';
import type { Configuration } from './configuration.ts';
import type { Faults } from './faults.ts';
import type { CallOutcome, Link } from './link.ts';
import { type DurableMessage, Outbox } from './outbox.ts';
import type { Cancel } from './timer-queue.ts';

type UrgentMessage = {
  action: string;
  payload: object;
  order: number;
  /** May be sent before the boot was accepted. */
  early: boolean;
  settle: (outcome: CallOutcome) => void;
};

export type DeliveryListener = {
  retried(action: string, attempt: number, because: string): void;
  dropped(action: string, because: 'attempts' | 'full'): void;
  /** This message was just sent. */
  sent(action: string): void;
};

const urgentMax = 200;
/** Calls in a row without an answer after which the link counts as dead. */
const silentCallsMax = 2;

/**
 * The send queue: messages that only matter now and are lost with the link, and messages about charges that must
 * arrive. They are sent one call at a time (OCPP-J 1.6 par. 4.1.1), in order of events where the rules allow.
 */
export class Delivery {
  /** The boot was accepted: messages other than early ones may be sent. */
  registered = false;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #configuration: Configuration;
  readonly #faults: () => Faults;
  readonly #nextId: () => string;
  readonly #listener: DeliveryListener;
  readonly #outbox = new Outbox();
  #urgent: UrgentMessage[] = [];
  #order = 0;
  #sending = false;
  #silentCalls = 0;
  #cancelRetry: Cancel = () => {};

  constructor(options: {
    link: Link;
    clock: Clock;
    configuration: Configuration;
    faults: () => Faults;
    nextId: () => string;
    listener: DeliveryListener;
  }) {
    this.#link = options.link;
    this.#clock = options.clock;
    this.#configuration = options.configuration;
    this.#faults = options.faults;
    this.#nextId = options.nextId;
    this.#listener = options.listener;
  }

  /** The number of unanswered messages about charges. */
  get owed(): number {
    return this.#outbox.size;
  }

  /** Sends a message that only matters now. */
  send(action: string, payload: object, early = false): Promise<CallOutcome> {
    if (!this.#link.isOpen || this.#urgent.length >= urgentMax) return Promise.resolve({ kind: 'link-lost' });
    const outcome = new Promise<CallOutcome>((settle) => {
      this.#urgent.push({ action, payload, order: this.#nextOrder(), early, settle });
    });
    this.pump();
    return outcome;
  }

  /** Sends a message about a charge, now or when the link allows it, until it is answered or given up. */
  sendDurable(message: Pick<DurableMessage, 'action' | 'payload' | 'answered'>): void {
    const dropped = this.#outbox.add({ ...message, order: this.#nextOrder(), id: null, attempts: 0, notBefore: 0 });
    if (dropped !== null) this.#listener.dropped(dropped.action, 'full');
    this.pump();
  }

  linkClosed(): void {
    this.registered = false;
    this.#silentCalls = 0;
    this.#cancelRetry();
    const head = this.#outbox.head;
    if (head !== null) head.notBefore = 0;
    const lost = this.#urgent;
    this.#urgent = [];
    for (const message of lost) message.settle({ kind: 'link-lost' });
  }

  /** Sends the next message, unless one is in flight. */
  pump(): void {
    if (this.#sending || !this.#link.isOpen || !this.#link.isIdle) return;
    const index = this.#urgent.findIndex((message) => this.registered || message.early);
    const urgent = this.#urgent[index];
    const head = this.registered ? this.#outbox.head : null;
    const durable = head !== null && head.notBefore <= this.#clock.now() ? head : null;
    if (durable !== null && (urgent === undefined || durable.order < urgent.order)) {
      this.#deliver(durable);
    } else if (urgent !== undefined) {
      this.#urgent.splice(index, 1);
      this.#call(this.#nextId(), urgent.action, urgent.payload, urgent.settle);
    }
  }

  #nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  #deliver(message: DurableMessage): void {
    const id = this.#faults().retriesUnderSameId && message.id !== null ? message.id : this.#nextId();
    message.id = id;
    this.#call(id, message.action, message.payload(), (outcome) => {
      switch (outcome.kind) {
        case 'answered':
          this.#outbox.removeHead();
          message.answered(outcome.payload);
          return;
        case 'link-lost':
          return;
        case 'error':
        case 'timed-out':
          this.#retryLater(message, outcome.kind === 'error' ? outcome.code : 'no answer');
          return;
      }
    });
  }

  /** OCPP 1.6 par. 3.7.1: the pause grows with each attempt; after the last one the message is dropped. */
  #retryLater(message: DurableMessage, because: string): void {
    message.attempts += 1;
    if (message.attempts >= this.#configuration.integer('TransactionMessageAttempts')) {
      this.#outbox.removeHead();
      this.#listener.dropped(message.action, 'attempts');
      return;
    }
    const pauseMs = this.#configuration.integer('TransactionMessageRetryInterval') * 1_000 * message.attempts;
    message.notBefore = this.#clock.now() + pauseMs;
    this.#listener.retried(message.action, message.attempts, because);
    this.#cancelRetry();
    this.#cancelRetry = this.#clock.after(pauseMs, () => this.pump());
  }

  #call(id: string, action: string, payload: object, settle: (outcome: CallOutcome) => void): void {
    this.#sending = true;
    void this.#link.call(id, action, payload).then((outcome) => {
      this.#sending = false;
      this.#silentCalls = outcome.kind === 'timed-out' ? this.#silentCalls + 1 : 0;
      settle(outcome);
      if (this.#silentCalls >= silentCallsMax) this.#link.drop();
      this.pump();
    });
    this.#listener.sent(action);
  }
}
