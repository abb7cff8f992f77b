/**
 * Stories played against the rules. A seed draws the same story every time; one that breaks a promise is reduced to the
 * few steps it needs.
 */
import type { Step, Temper } from './test-charge-steps.ts';
import { World } from './test-charge-world.ts';

/** The outcome of a story: how many messages and steps the rules took, and the first broken promise. */
export type StoryOutcome = {
  events: number;
  orders: number;
  fault: string | null;
  told: readonly string[];
  states: Record<string, number>;
};

/** Plays a story from the beginning and checks the books after every step. */
export function playStory(
  steps: readonly Step[],
  { temper, isTold = false }: { temper: Temper; isTold?: boolean },
): StoryOutcome {
  const world = new World({ temper, isTold });
  let events = 0;
  let fault: string | null = null;
  const look = (act: () => void, faults: () => string | null) => {
    try {
      act();
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      return;
    }
    fault = faults();
  };
  for (const step of steps) {
    look(
      () => world.take(step),
      () => world.fault(),
    );
    events += 1;
    if (fault !== null) break;
  }
  if (fault === null) {
    look(
      () => world.end(),
      () => world.fault() ?? world.openFault() ?? (temper === 'honest' ? world.honestFault() : null),
    );
  }
  return {
    events: events + world.messages.length * 2,
    orders: world.book.orders.length,
    fault,
    told: world.told,
    states: world.tally(),
  };
}

/** The fewest steps that still break it: drops halves, quarters and single steps while they do. */
export function shortenStory(steps: readonly Step[], isSo: (steps: readonly Step[]) => boolean): readonly Step[] {
  let shortest = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    const shorter = cuts(shortest, size).find(isSo);
    if (shorter !== undefined) shortest = shorter;
    else if (size === 1) break;
    else size = Math.ceil(size / 2);
  }
  return shortest;
}

function cuts(steps: readonly Step[], size: number): (readonly Step[])[] {
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => [
    ...steps.slice(0, index * size),
    ...steps.slice((index + 1) * size),
  ]);
}

/** A broken story for a person to read: its seed, the fault, and the fewest steps that lead to it. */
export function describeStory(seed: number, steps: readonly Step[], temper: Temper): string {
  const broken = shortenStory(steps, (cut) => playStory(cut, { temper }).fault !== null);
  const { fault, told } = playStory(broken, { temper, isTold: true });
  return [`seed ${seed}: ${fault}`, ...told].join('\n  ');
}
