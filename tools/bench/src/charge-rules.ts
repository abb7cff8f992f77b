import { drawStory, type Temper } from '@voltdeck/charging/charge/test-charge-steps';
import { describeStory, playStory } from '@voltdeck/charging/charge/test-charge-stories';
import { randomFrom } from '@voltdeck/units/random';
import { cpuNs } from './process-cpu.ts';
import { spread } from './spread.ts';

const rounds = 10;
const eventsOfRound = 100_000;
const stepsOfStory = 80;
/** One story in five has only honest stations, whose charges must be right to the watt-hour. */
const honestEvery = 5;

type Round = { events: number; stories: number; orders: number; bareNs: number; rulesNs: number };

/**
 * Runs a million events of random stories through the rules of charges and checks the books after each step, compared
 * with a bare loop that only draws the same stories. `seed` is that of the first story.
 * @returns a line with the seed of a story that broke an invariant, which is printed before.
 */
export function benchChargeRules(seed = 1): string[] {
  const taken: Round[] = [];
  let next = seed;
  for (let round = 0; round < rounds; round += 1) {
    const outcome = takeRound(next);
    if ('broken' in outcome) {
      console.log(outcome.story);
      return [`charge-rules: the story of seed ${outcome.broken} breaks a promise`];
    }
    next += outcome.stories;
    taken.push(outcome);
  }
  const sum = (of: (one: Round) => number) => taken.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const perSecond = (of: (one: Round) => number) =>
    spread(
      taken.map((one) => one.events / (of(one) / 1e9)),
      0,
    );
  console.log(
    `  ${sum(({ events }) => events)} events of ${sum(({ stories }) => stories)} stories, seeds ${seed} to ${next - 1}`,
  );
  console.log(`    ${sum(({ orders }) => orders)} orders, no promise broken`);
  console.log(`    bare loop that draws the steps   ${perSecond(({ bareNs }) => bareNs)} events a CPU-second`);
  console.log(`    rules, book and every invariant  ${perSecond(({ rulesNs }) => rulesNs)} events a CPU-second`);
  console.log(`    ${spread(taken.map(({ bareNs, rulesNs }) => rulesNs / bareNs))} times the bare loop`);
  return [];
}

function takeRound(firstSeed: number): Round | { broken: number; story: string } {
  const taken: Round = { events: 0, stories: 0, orders: 0, bareNs: 0, rulesNs: 0 };
  while (taken.events < eventsOfRound) {
    const seed = firstSeed + taken.stories;
    const temper: Temper = seed % honestEvery === 0 ? 'honest' : 'wild';
    const draw = () => drawStory(randomFrom(seed), { steps: stepsOfStory, temper });
    let steps = draw();
    taken.bareNs += cpuNs(() => {
      steps = draw();
    });
    let outcome: ReturnType<typeof playStory> | null = null;
    taken.rulesNs += cpuNs(() => {
      outcome = playStory(steps, { temper });
    });
    const played = outcome as ReturnType<typeof playStory> | null;
    if (played === null) throw new Error('nothing was played');
    if (played.fault !== null) return { broken: seed, story: describeStory(seed, steps, temper) };
    taken.events += played.events;
    taken.orders += played.orders;
    taken.stories += 1;
  }
  return taken;
}
