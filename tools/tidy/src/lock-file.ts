import { workspaceOf } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

interface Entry {
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const path = 'package-lock.json';
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

export const lockFile: Rule = {
  name: 'the lock file names no registry, has every platform, and matches every package.json',
  check({ files }) {
    const lock = files.find((file) => file.path === path);
    if (lock === undefined) return [{ path, line: 0, text: 'is missing' }];
    const entries = (JSON.parse(lock.text) as { packages: Record<string, Entry> }).packages;
    const findings: Finding[] = [];
    const say = (text: string) => findings.push({ path, line: 0, text });

    for (const [name, { resolved }] of Object.entries(entries)) {
      if (resolved !== undefined && /^\w+:/.test(resolved)) say(`${name} comes from ${new URL(resolved).host}`);
    }
    for (const [name, { optionalDependencies = {} }] of Object.entries(entries)) {
      for (const optional of Object.keys(optionalDependencies)) {
        // npm forgets packages of other platforms, and then installs without them there (npm/cli 4828).
        if (!(`node_modules/${optional}` in entries) && !(`${name}/node_modules/${optional}` in entries)) {
          say(`${optional} is missing, which ${name || 'the root'} may need on another platform`);
        }
      }
    }
    for (const file of files) {
      const folder = file.path === 'package.json' ? '' : workspaceOf(file.path);
      if (folder === null || (folder !== '' && file.path !== `${folder}/package.json`)) continue;
      const asked = JSON.parse(file.text) as Entry;
      for (const kind of kinds) {
        if (sorted(asked[kind]) !== sorted(entries[folder]?.[kind]))
          say(`${kind} of ${file.path} are others by now; run npm install`);
      }
    }
    return findings;
  },
};

function sorted(dependencies: Record<string, string> | undefined): string {
  return JSON.stringify(Object.entries(dependencies ?? {}).sort());
}
