import { randomFrom } from '@voltdeck/units/random';
import { describe, expect, test } from 'vitest';
import { drawStory, type Temper } from './test-charge-steps.ts';
import { describeStory, playStory, shortenStory } from './test-charge-stories.ts';

/** `SEED=7 npm test -- charge-stories` tells other stories. */
const firstSeed = Number(process.env.SEED ?? 20_261_122);

/** Plays stories and returns how their orders ended; the first that breaks a promise is reported in a few steps. */
function play(count: number, steps: number, temper: Temper): Record<string, number> {
  const ends: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const story = drawStory(randomFrom(seed), { steps, temper });
    const { fault, states } = playStory(story, { temper });
    if (fault !== null) throw new Error(describeStory(seed, story, temper));
    for (const [state, times] of Object.entries(states)) ends[state] = (ends[state] ?? 0) + times;
  }
  return ends;
}

describe('whatever stations, drivers, lines and liars do', () => {
  test(`no promise about orders and money is broken (first seed ${firstSeed})`, () => {
    const ends = play(500, 80, 'wild');
    // Stories that never get anywhere break no promise either.
    for (const end of ['completed station', 'completed hand', 'cancelled', 'settling person']) {
      expect(ends[end], end).toBeGreaterThan(100);
    }
    for (const rule of [
      'no_stop_received',
      'meter_backwards',
      'meter_jump',
      'energy_without_time',
      'amount_above_prepaid',
      'station_lost',
      'clock_wrong',
      'card_not_accepted',
      'start_missing',
      'amount_differs',
      'energy_implausible',
      'record_contradicts',
      'record_unasked',
      'register_missing',
      'stop_differs',
    ]) {
      expect(ends[rule], rule).toBeGreaterThan(10);
    }
  });

  test(`long stories break no promise either (first seed ${firstSeed})`, () => {
    expect(play(40, 500, 'wild')['completed station']).toBeGreaterThan(100);
  });

  test(`late, repeated and offline messages of honest stations are billed to the watt-hour without a person (first seed ${firstSeed})`, () => {
    const ends = play(500, 80, 'honest');
    expect(ends['completed station']).toBeGreaterThan(1_000);
    expect(ends).not.toHaveProperty('settling person');
  });
});

describe('a story', () => {
  const story = drawStory(randomFrom(firstSeed), { steps: 80, temper: 'wild' });

  test('a story is the same every time from the same seed', () => {
    expect(drawStory(randomFrom(firstSeed), { steps: 80, temper: 'wild' })).toEqual(story);
    const tell = () => playStory(story, { temper: 'wild', isTold: true });
    expect(tell()).toEqual(tell());
  });

  test('a broken story is reduced to the few steps that matter, and printed in sentences', () => {
    const isSettledByHand = (steps: typeof story) => 'completed hand' in playStory(steps, { temper: 'wild' }).states;
    const seed = Array.from({ length: 50 }, (_, index) => firstSeed + index).find((one) =>
      isSettledByHand(drawStory(randomFrom(one), { steps: 80, temper: 'wild' })),
    );
    const drawn = drawStory(randomFrom(seed ?? firstSeed), { steps: 80, temper: 'wild' });
    const shortest = shortenStory(drawn, (steps) => isSettledByHand([...steps]));
    expect(shortest.length).toBeLessThanOrEqual(5);
    expect(shortest.at(-1)).toMatchObject({ do: 'settle' });
    const { told } = playStory(shortest, { temper: 'wild', isTold: true });
    expect(told.join('\n')).toMatch(/a person settles N1 by/);
  });
});
