/** A message about a charge: it has to reach the central system, however late, and in order. */
export type DurableMessage = {
  action: 'StartTransaction' | 'MeterValues' | 'StopTransaction';
  /** Made when it is sent: the number of the charge may not be known before. The rest was fixed at event time. */
  payload: () => object;
  /** Increases over all messages of the station: tells who came first. */
  order: number;
  id: string | null;
  attempts: number;
  /** Event time before which it is not sent again. */
  notBefore: number;
  answered: (payload: Record<string, unknown>) => void;
};

/** Messages that a station keeps in its flash memory. A real one holds a few thousand. */
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
   * Adds at the end. When full, a sample in the middle makes room (OCPP 1.6 par. 3.7.1 lets a station drop intermediate
   * meter values); a start or a stop is never dropped for room. Gives the message that was dropped, or null.
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
