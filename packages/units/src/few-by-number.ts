const none: readonly never[] = [];

/**
 * A small map by number, in insertion order, for the few things a station has. A `Map` takes 320 bytes even while it is
 * empty, and tens of thousands of stations have two each. A loop over it sees what it held when the loop began,
 * whatever changes meanwhile.
 */
export class FewByNumber<Value> {
  #numbers: readonly number[] = none;
  #values: readonly Value[] = none;

  constructor(entries: Iterable<readonly [number, Value]> = none) {
    for (const [number, value] of entries) this.set(number, value);
  }

  get size(): number {
    return this.#numbers.length;
  }

  get(number: number): Value | undefined {
    return this.#values[this.#numbers.indexOf(number)];
  }

  has(number: number): boolean {
    return this.#numbers.includes(number);
  }

  set(number: number, value: Value): void {
    const at = this.#numbers.indexOf(number);
    if (at !== -1) this.#values = this.#values.with(at, value);
    else {
      this.#numbers = [...this.#numbers, number];
      this.#values = [...this.#values, value];
    }
  }

  delete(number: number): void {
    const at = this.#numbers.indexOf(number);
    if (at === -1) return;
    this.#numbers = this.#numbers.toSpliced(at, 1);
    this.#values = this.#values.toSpliced(at, 1);
  }

  keys(): readonly number[] {
    return this.#numbers;
  }

  values(): readonly Value[] {
    return this.#values;
  }

  *[Symbol.iterator](): Generator<[number, Value]> {
    const values = this.#values;
    for (const [at, number] of this.#numbers.entries()) yield [number, values[at] as Value];
  }
}
