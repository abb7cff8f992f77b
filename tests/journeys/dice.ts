/** Repeatable randomness from a seed (mulberry32). */
export type Dice = {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer between both ends, inclusive. */
  whole(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** The seed of a run: JOURNEY_SEED, or else from the clock. Printed, so that a run can be repeated. */
export function seedOfRun(journey: string): number {
  const seed = Number(process.env.JOURNEY_SEED ?? Date.now() % 1_000_000);
  console.log(`${journey}: JOURNEY_SEED=${seed}`);
  return seed;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[whole(0, items.length - 1)] as (typeof items)[number];
    },
  };
}
