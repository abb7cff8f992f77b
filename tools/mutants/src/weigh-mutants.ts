import type { KnownSurvivor } from './known-survivors.ts';
import type { Mutant } from './mutant.ts';

/** The minimum share of a package's changes that must be noticed. */
export const noticedShareMin = 0.9;

export interface Weighing {
  /** Without changes that do not compile. */
  mutants: number;
  noticed: number;
  /** Included in those noticed. */
  timedOut: number;
  notCompiling: number;
  /** The share of changes that were noticed, 0 to 1; 1 when there are none. */
  share: number;
  explained: readonly (Mutant & { because: string })[];
  unexplained: readonly Mutant[];
  /** Entries of the list that no longer hold. */
  faults: readonly string[];
}

/**
 * Counts noticed changes and compares the survivors with the list of known ones, of which those of `files` are checked.
 */
export function weighMutants(
  mutants: readonly Mutant[],
  known: readonly KnownSurvivor[],
  files: readonly string[],
): Weighing {
  const counted = mutants.filter(({ fate }) => fate !== 'not-compiling');
  const survivors = counted.filter(({ fate }) => fate === 'survived');
  const matches = (entry: KnownSurvivor, mutant: Mutant) =>
    entry.file === mutant.file && entry.was === mutant.was && entry.becomes === mutant.becomes;
  const explained = survivors.flatMap((mutant) => {
    const entry = known.find((each) => matches(each, mutant));
    return entry === undefined ? [] : [{ ...mutant, because: entry.because }];
  });
  const faults = known
    .filter(({ file }) => files.includes(file))
    .flatMap((entry) => {
      const matching = mutants.filter((mutant) => matches(entry, mutant));
      if (matching.length === 0) return [`${entry.file}: "${entry.becomes}" is listed as known, but there is none`];
      return matching.some(({ fate }) => fate === 'survived')
        ? []
        : [`${entry.file}: "${entry.becomes}" is listed as known, but is noticed by now`];
    });
  const noticed = counted.length - survivors.length;
  return {
    mutants: counted.length,
    noticed,
    timedOut: counted.filter(({ fate }) => fate === 'timed-out').length,
    notCompiling: mutants.length - counted.length,
    share: counted.length === 0 ? 1 : noticed / counted.length,
    explained,
    unexplained: survivors.filter((mutant) => !known.some((entry) => matches(entry, mutant))),
    faults,
  };
}

/** Whether a package is tested well enough and the list is up to date. */
export function isEnough({ share, faults }: Weighing): boolean {
  return share >= noticedShareMin && faults.length === 0;
}

/** The figures on one line, then a paragraph for each unnoticed change. */
export function describeWeighing(name: string, weighing: Weighing, seconds: number): string {
  const { mutants, noticed, timedOut, notCompiling, share, explained, unexplained, faults } = weighing;
  const lines = [
    `${name}: ${noticed} of ${mutants} changes noticed, ${(share * 100).toFixed(1)} % ` +
      `(${timedOut} by running too long; ${notCompiling} more do not compile), ${Math.round(seconds)} s`,
  ];
  for (const { file, line, was, becomes } of unexplained) {
    lines.push(`  not noticed: ${file}:${line}`, `    - ${was}`, `    + ${becomes}`);
  }
  for (const { file, line, becomes, because } of explained) {
    lines.push(`  known: ${file}:${line}`, `    + ${becomes}`, `    ${because}`);
  }
  return [...lines, ...faults.map((fault) => `  fault: ${fault}`)].join('\n');
}
