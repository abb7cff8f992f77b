import type { Finding, Rule } from './rule.ts';

const folder = 'apps/server/migrations/';

/** Two changes that each add the next migration merge without a conflict, and then no server starts. */
export const migrationsInOrder: Rule = {
  name: 'migrations are numbered from 1 without gaps or duplicates',
  check({ files }) {
    const paths = files.flatMap(({ path }) => (path.startsWith(folder) && path.endsWith('.sql') ? [path] : [])).sort();
    return paths.flatMap((path, index): Finding[] => {
      const expected = String(index + 1).padStart(4, '0');
      const isNext = path.startsWith(`${folder}${expected}_`);
      return isNext ? [] : [{ path, line: 0, text: `stands where number ${expected} belongs` }];
    });
  },
};
