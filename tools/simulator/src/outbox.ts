/** A message about a charge, which must reach the central system in order, however late. */
export type DurableMessage = {
  action: 'StartTransaction' | 'MeterValues' | 'StopTransaction';
  /** Called when it is sent: the transaction id may be unknown before. The rest was fixed at event time. */
  payload: () => object;
  /** Increases over all messages of the station, to sort them. */
  order: number;
  id: string | null;
  attempts: number;
  /** Event time before which it is not resent. */
  notBefore: number;
  answered: (payload: Record<string, unknown>) => void;
};

/** Messages in a station's flash memory. A real one holds a few thousand. */
export const outboxMax = 5_000;

/** The queue of messages about charges. It survives power cuts and lost links. */
export class Outbox {
  #messages: DurableMessage[] = [];

  get size(): number {
    return this.#messages.length;
  }

  get head(): DurableMessage | null {
    return this.#messages[0] ?? null;
  }

  /**
   * Appends a message. When full, a sample in the middle is dropped (OCPP 1.6 par. 3.7.1 allows dropping intermediate
   * meter values); a start or a stop is never dropped for space. Returns the dropped message, or null.
   */
  add(message: DurableMessage): DurableMessage | null {
    this.#messages.push(message);
    if (this.#messages.length <= outboxMax) return null;
    const index = this.#messages.findIndex((each, position) => position > 0 && each.action === 'MeterValues');
    const [dropped] = this.#messages.splice(index === -1 ? this.#messages.length - 1 : index, 1);
    return dropped ?? null;
  }

  removeHead(): void {
    this.#messages.shift();
  }
}
