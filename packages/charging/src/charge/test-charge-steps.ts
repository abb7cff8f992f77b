/** The steps of a story about charges, and their random generation. */
import type { Random } from '@voltdeck/units/random';

/** Whole numbers in a step select an existing thing by position, modulo their count. */
export type Step =
  | { do: 'swipe'; port: number; card: number; power: number; together: boolean }
  | { do: 'call'; port: number; payer: number; power: number }
  | { do: 'begin'; charge: number; isHeard: boolean }
  | { do: 'read'; charge: number; minutes: number; says: (typeof readingReports)[number] }
  | { do: 'stop'; charge: number; minutes: number; says: (typeof stopReports)[number] }
  | { do: 'repeat'; message: number }
  | {
      do: 'invent';
      port: number;
      card: number;
      kwh: number;
      minutes: number;
      minutesAgo: number;
      totalKwh: number | null;
    }
  | { do: 'invent-stop'; port: number; card: number | null; registerKwh: number }
  | { do: 'cancel'; order: number }
  | { do: 'settle'; order: number; by: 'proposal' | 'nothing' | 'more' }
  | { do: 'lose'; station: number }
  | { do: 'find'; station: number }
  | { do: 'free'; port: number }
  | { do: 'recharge'; payer: number; yuan: number }
  | { do: 'block'; card: number }
  | { do: 'pass'; minutes: number };

export const readingReports = ['right', 'wild', 'fallen', 'late', 'leapt'] as const;
export const stopReports = [
  'right',
  'no register',
  'minus one',
  'wild',
  'too early',
  'no time',
  'no number',
  'failed',
  'leapt',
  'never',
] as const;

/** How often each step is drawn. */
type Weights = Readonly<Record<Step['do'], number>>;

/** Everything that can go wrong. */
const wildWeights: Weights = {
  swipe: 16,
  call: 6,
  begin: 14,
  read: 22,
  stop: 14,
  repeat: 10,
  invent: 3,
  'invent-stop': 1,
  cancel: 1,
  settle: 3,
  lose: 3,
  find: 4,
  free: 1,
  recharge: 2,
  block: 0.3,
  pass: 10,
};

/** Lines fail and people change their minds, but stations report what they measured. */
const honestWeights: Weights = {
  ...wildWeights,
  invent: 0,
  'invent-stop': 0,
  settle: 0,
  free: 0,
  block: 0,
  recharge: 6,
};

export type Temper = 'wild' | 'honest';

export function drawStory(random: Random, { steps, temper }: { steps: number; temper: Temper }): Step[] {
  return Array.from({ length: steps }, () => drawStep(random, temper));
}

const anyPlace = 1_000;

function drawStep(random: Random, temper: Temper): Step {
  const weights = temper === 'wild' ? wildWeights : honestWeights;
  const isWild = temper === 'wild';
  const place = () => random(anyPlace);
  const kind = drawKind(random, weights);
  switch (kind) {
    case 'swipe':
      return { do: 'swipe', port: place(), card: place(), power: 1 + random(10), together: random(6) === 0 };
    case 'call':
      return { do: 'call', port: place(), payer: place(), power: 1 + random(10) };
    case 'begin':
      return { do: 'begin', charge: place(), isHeard: random(5) > 0 };
    case 'read': {
      const says = isWild && random(4) === 0 ? readingReports[random(readingReports.length)] : 'right';
      return { do: 'read', charge: place(), minutes: 1 + random(isWild ? 60 : 20), says: says ?? 'right' };
    }
    case 'stop': {
      const says = isWild && random(2) === 0 ? stopReports[random(stopReports.length)] : 'right';
      return { do: 'stop', charge: place(), minutes: random(30), says: says ?? 'right' };
    }
    case 'repeat':
      return { do: 'repeat', message: place() };
    case 'invent': {
      const totalKwh = random(3) === 0 ? 1 + random(10_000) : null;
      return {
        do: 'invent',
        port: place(),
        card: place(),
        kwh: 1 + random(random(2) === 0 ? 60 : 10_000),
        minutes: random(120),
        minutesAgo: random(3) === 0 ? random(20_000) : random(300),
        totalKwh,
      };
    }
    case 'invent-stop':
      return { do: 'invent-stop', port: place(), card: random(2) === 0 ? null : place(), registerKwh: random(5_000) };
    case 'cancel':
    case 'settle': {
      const order = place();
      if (kind === 'cancel') return { do: 'cancel', order };
      return { do: 'settle', order, by: (['proposal', 'nothing', 'more'] as const)[random(3)] ?? 'proposal' };
    }
    case 'lose':
      return { do: 'lose', station: place() };
    case 'find':
      return { do: 'find', station: place() };
    case 'free':
      return { do: 'free', port: place() };
    case 'recharge':
      return { do: 'recharge', payer: place(), yuan: 1 + random(300) };
    case 'block':
      return { do: 'block', card: place() };
    case 'pass': {
      const minutesMax = isWild ? ([10, 10, 120, 1_500, 12_000][random(5)] ?? 10) : 40;
      return { do: 'pass', minutes: 1 + random(minutesMax) };
    }
  }
}

function drawKind(random: Random, weights: Weights): Step['do'] {
  const kinds = Object.entries(weights) as [Step['do'], number][];
  const resolution = 10;
  let left = random(kinds.reduce((sum, [, weight]) => sum + weight * resolution, 0));
  for (const [kind, weight] of kinds) {
    left -= weight * resolution;
    if (left < 0) return kind;
  }
  return 'pass';
}
