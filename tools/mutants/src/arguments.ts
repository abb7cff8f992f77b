export interface MutantsRequest {
  /** Names of packages, or of files and folders of their source: `charging/charge/decide-end`. */
  packages: readonly string[];
  /** Only files that changed since this commit. */
  since: string | null;
  /** Reuses earlier results for changes that look the same, together with the tests that reach them. */
  quick: boolean;
  /** The number of changes tried in parallel. */
  workers: number;
  root: string | null;
}

export const testedPackages = ['units', 'tariffs', 'ledger', 'charging'] as const;

/** More do not fit into the memory of a small machine. */
const workersMax = 2;

export const usage = `npm run mutants [-- <package>[/<file>] …] [--since <commit>] [--quick] [--workers <number>]

Changes the code of a package in one place at a time and runs the package's own tests: a change that none of them
notices is a rule without a test. Packages: ${testedPackages.join(', ')}, unless others are named;
charging/charge/decide-end is one file, charging/charge a folder.

  --since <commit>    changes only files that differ from this commit
  --quick             keeps what the last run found of changes that look the same, for use while writing tests: it does
                      not see a change in what tests share
  --workers <number>  how many changes are tried at once, ${workersMax} at most and by default
  --root <folder>     the repository to run in`;

export function readArguments(given: readonly string[]): MutantsRequest | 'help' | { fault: string } {
  const packages: string[] = [];
  const request = { since: null as string | null, quick: false, workers: workersMax, root: null as string | null };
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--help') return 'help';
    if (word === '--quick') request.quick = true;
    else if (word === '--since' || word === '--root' || word === '--workers') {
      const value = rest.shift();
      if (value === undefined || value.startsWith('--')) return { fault: `${word} needs a value` };
      if (word === '--since') request.since = value;
      else if (word === '--root') request.root = value;
      else if (/^\d+$/.test(value)) request.workers = Math.min(Math.max(Number(value), 1), workersMax);
      else return { fault: `${word} needs a number` };
    } else if (word.startsWith('--')) return { fault: `${word} is no option` };
    else
      packages.push(
        word
          .replace(/^packages\//, '')
          .replace('/src/', '/')
          .replace(/\/$|\.ts$/, ''),
      );
  }
  return { ...request, packages: packages.length > 0 ? packages : testedPackages };
}
