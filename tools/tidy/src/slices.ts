import { importsOf, workspacesOf } from './imports.ts';
import type { Rule } from './rule.ts';

/** The slices of contract, phrases, server and console. */
const slices = new Set([
  'access',
  'overview',
  'sites',
  'stations',
  'logs',
  'orders',
  'tariffs',
  'customers',
  'payments',
  'cards',
  'invoices',
  'agents',
  'groups',
  'interop',
  'content',
  'settings',
  'tasks',
]);

/**
 * Which slice may reach which other one, by which files, and why. `*` is every slice. Everything else goes by event.
 */
export const reaches: readonly { app: string; from: string; to: string; files: readonly string[]; because: string }[] =
  [
    {
      app: 'server',
      from: 'access',
      to: 'settings',
      files: ['built-in-configs.ts'],
      because: 'the first run seeds the parameters that the console reads before anybody has signed in',
    },
    {
      app: 'server',
      from: 'tasks',
      to: 'orders',
      files: ['export-orders.ts'],
      because: 'an export in the background writes the same columns as the direct download',
    },
    {
      app: 'server',
      from: 'tasks',
      to: 'access',
      files: ['export-audit.ts'],
      because: 'an export in the background writes the same columns as the direct download',
    },
    {
      app: 'server',
      from: 'tasks',
      to: 'logs',
      files: ['export-logs.ts'],
      because: 'an export in the background writes the same columns as the direct download',
    },
    {
      app: 'server',
      from: 'orders',
      to: 'stations',
      files: ['refusal-of-outcome.ts', 'station-password.ts'],
      because: 'an order that commands a station refuses in the same words; test stations need a password',
    },
    {
      app: 'server',
      from: 'orders',
      to: 'stations',
      files: ['answer-tariff.ts'],
      because: 'a station asks for its tariff with the same kind of event as for everything else',
    },
    {
      app: 'server',
      from: 'stations',
      to: 'orders',
      files: ['find-balance.ts'],
      because: 'what is behind a running charge is told to the station by hand',
    },
    {
      app: 'server',
      from: 'payments',
      to: 'orders',
      files: ['tell-balance.ts'],
      because: 'new money is told to the station that stops when there is none',
    },
    {
      app: 'console',
      from: '*',
      to: 'access',
      files: ['use-can.ts', 'use-may-open.ts'],
      because: 'every screen asks what the position allows, and links only to screens that it opens',
    },
    {
      app: 'console',
      from: 'stations',
      to: 'logs',
      files: ['StationLog.tsx'],
      because: 'the page of a station holds its interaction log',
    },
  ];

export const slicesApart: Rule = {
  name: 'slices reach each other only where the list says',
  check: (repository) => {
    const workspaces = workspacesOf(repository);
    return repository.sources
      .filter(({ isTest }) => !isTest)
      .flatMap((file) => {
        const from = sliceOf(file.path);
        if (from === null) return [];
        return importsOf(file, workspaces).flatMap(({ target, line }) => {
          const to = target === null ? null : sliceOf(target);
          if (target === null || to === null || to.app !== from.app || to.slice === from.slice) return [];
          const name = target.split('/').at(-1) ?? '';
          const listed = reaches.some(
            (reach) =>
              reach.app === from.app &&
              (reach.from === '*' || reach.from === from.slice) &&
              reach.to === to.slice &&
              reach.files.includes(name),
          );
          return listed
            ? []
            : [
                {
                  path: file.path,
                  line,
                  text: `${from.slice} reaches into ${to.slice} (${name}); send an event or list it`,
                },
              ];
        });
      });
  },
};

function sliceOf(path: string): { app: string; slice: string } | null {
  const match = /^apps\/(server|console)\/src\/([^/]+)\//.exec(path);
  return match?.[1] !== undefined && match[2] !== undefined && slices.has(match[2])
    ? { app: match[1], slice: match[2] }
    : null;
}
