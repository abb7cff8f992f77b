import { type Import, importsOf, workspacesOf } from './imports.ts';
import { type Repository, workspaceOf } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/**
 * Who may import whom (the architecture's "packages decide, apps act"). What is not listed may import nothing of ours.
 * Tests may also import what `alsoInTests` lists.
 */
const allowed: Readonly<Record<string, readonly string[] | 'anything'>> = {
  'packages/units': [],
  'packages/regions': [],
  'packages/charging': ['packages/units'],
  'packages/tariffs': ['packages/units'],
  'packages/invoices': ['packages/units'],
  'packages/ledger': ['packages/units'],
  'packages/connection': ['packages/charging', 'packages/units'],
  'packages/ocpp16': ['packages/charging', 'packages/connection', 'packages/units'],
  'packages/ykc': ['packages/charging', 'packages/connection', 'packages/units'],
  'packages/tcec102': ['packages/charging', 'packages/units'],
  'packages/contract': [
    'packages/charging',
    'packages/invoices',
    'packages/ledger',
    'packages/units',
    'packages/tariffs',
    'packages/tcec102',
  ],
  // Types only: the keys are derived from what these packages list.
  'packages/phrases': ['packages/charging', 'packages/ocpp16'],
  'apps/console': [
    'packages/charging',
    'packages/contract',
    'packages/invoices',
    'packages/phrases',
    'packages/regions',
    'packages/tariffs',
    'packages/units',
  ],
  'apps/server': [
    'packages/charging',
    'packages/connection',
    'packages/contract',
    'packages/invoices',
    'packages/ledger',
    'packages/ocpp16',
    'packages/phrases',
    'packages/regions',
    'packages/tariffs',
    'packages/tcec102',
    'packages/units',
    'packages/ykc',
  ],
  // A virtual station or partner knows the protocol but nothing of the server that it talks to.
  'tools/simulator': [
    'packages/charging',
    'packages/ocpp16',
    'packages/phrases',
    'packages/tcec102',
    'packages/units',
    'packages/ykc',
  ],
  'tools/regions': ['packages/regions'],
  'tools/mutants': [],
  'tools/tidy': [],
  'tools/front-door': 'anything',
  'tools/world': 'anything',
  'tools/bench': 'anything',
  'tests/conformance': [
    'packages/charging',
    'packages/connection',
    'packages/ocpp16',
    'packages/units',
    'packages/ykc',
  ],
  'tests/journeys': 'anything',
  'tests/browser': 'anything',
};

const alsoInTests: Readonly<Record<string, readonly string[]>> = {
  'packages/phrases': ['packages/contract', 'packages/ykc'],
  // Tests check that the log screen's tables agree with the protocols' own.
  'apps/console': ['packages/ocpp16', 'packages/ykc'],
};

export const importDirections: Rule = {
  name: 'packages and apps import only what the architecture allows',
  check(repository) {
    const workspaces = workspacesOf(repository);
    return repository.sources.flatMap((file) =>
      importsOf(file, workspaces).flatMap((each) => {
        const text = wrongDirection(each);
        return text === null ? [] : [{ path: file.path, line: each.line, text }];
      }),
    );
  },
};

function wrongDirection({ from, specifier, target }: Import): string | null {
  const here = workspaceOf(from.path);
  if (here === null || target === null) return null;
  const there = workspaceOf(`${target}/`);
  if (there === here) return null;
  if (there === null) return `"${specifier}" leaves the workspace`;
  if (specifier.startsWith('.')) return `reach ${there} by its package name, not by "${specifier}"`;
  const may = allowed[here] ?? [];
  if (may === 'anything' || may.includes(there)) return null;
  if (from.isTest && alsoInTests[here]?.includes(there)) return null;
  return `${here} may not import ${there}`;
}

export const noCycles: Rule = {
  name: 'no file imports itself through others, not even for a type',
  check: (repository) => cyclesOf(repository),
};

/** Tarjan's strongly connected components. Type imports count too. */
function cyclesOf(repository: Repository): Finding[] {
  const workspaces = workspacesOf(repository);
  const paths = new Set(repository.sources.map(({ path }) => path));
  const reached = new Map(
    repository.sources.map((file) => [
      file.path,
      importsOf(file, workspaces).flatMap(({ target }) =>
        target === null ? [] : [target, target.replace(/\.ts$/, '.tsx')].filter((path) => paths.has(path)),
      ),
    ]),
  );
  const findings: Finding[] = [];
  const order = new Map<string, { index: number; low: number; open: boolean }>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const mark = { index: order.size, low: order.size, open: true };
    order.set(path, mark);
    open.push(path);
    for (const next of reached.get(path) ?? []) {
      const known = order.get(next);
      if (known === undefined) mark.low = Math.min(mark.low, visit(next));
      else if (known.open) mark.low = Math.min(mark.low, known.index);
    }
    if (mark.low === mark.index) {
      const members = open.splice(open.indexOf(path));
      for (const member of members) {
        const known = order.get(member);
        if (known !== undefined) known.open = false;
      }
      const selfish = reached.get(path)?.includes(path) ?? false;
      if (members.length > 1 || selfish) {
        findings.push({ path, line: 0, text: `imports go in a circle: ${members.sort().join(', ')}` });
      }
    }
    return mark.low;
  };
  for (const path of reached.keys()) if (!order.has(path)) visit(path);
  return findings;
}
