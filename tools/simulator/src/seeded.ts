/** A stream of pseudo-random numbers that a seed repeats exactly. Not for secrets. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  integer(low: number, high: number): number;
  /** @throws RangeError for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** Time to the next event of a Poisson process, in the unit of the rate's reciprocal. Infinity for rate 0. */
  waitFor(rate: number): number;
  /** An independent stream that depends only on this one's seed and the label, not on earlier draws. */
  fork(label: string): Random;
};

/** A stream from a whole number, or from a text such as a station number. */
export function seeded(seed: number | string): Random {
  const origin = typeof seed === 'number' ? seed >>> 0 : hash(seed, 0);
  let state = origin;

  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return scramble(state) / 2 ** 32;
  };

  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('cannot pick from an empty list');
      return item;
    },
    chance: (probability) => next() < probability,
    waitFor: (rate) => (rate > 0 ? -Math.log(1 - next()) / rate : Number.POSITIVE_INFINITY),
    fork: (label) => seeded(hash(label, origin)),
  };
}

/** The finalizer of MurmurHash3 (public domain): every bit of the input reaches every bit of the output. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hash(text: string, origin: number): number {
  let sum = scramble(origin ^ 0x5bd1e995);
  for (let index = 0; index < text.length; index += 1) {
    sum = scramble((Math.imul(sum, 31) + text.charCodeAt(index)) >>> 0);
  }
  return sum;
}
