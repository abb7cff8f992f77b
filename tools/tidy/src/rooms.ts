import type { House } from './floors.ts';
import { importsOf, workspacesOf } from './imports.ts';
import type { Repository, SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/**
 * The location of a file: `room` is "orders" for apps/server/src/orders/stop-order.ts and "main.ts" for …/src/main.ts.
 */
type Place = { app: string; room: string /** From the app's `src`. */; path: string };

/** Null outside the apps' sources. */
function placeOf(path: string): Place | null {
  const [, app, inside, room] = /^apps\/([^/]+)\/src\/(([^/]+).*)$/.exec(path) ?? [];
  return app === undefined || inside === undefined || room === undefined ? null : { app, room, path: inside };
}

/** 0 is the highest floor; -1 for a room on no floor. */
function heightOf({ floors }: House, { app, room }: Place): number {
  return (floors[app] ?? []).findIndex(({ rooms }) => rooms.includes(room));
}

/** "test-orders.ts" supports tests, and "….test.ts" is one. */
function isForTests(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(?:^|\/)test-[^/]+\.tsx?$/.test(path);
}

type RoomImport = { path: string; line: number; from: Place; to: Place };

/** Imports from one room of an app into another, without tests. */
function importsBetweenRooms(repository: Repository): RoomImport[] {
  const workspaces = workspacesOf(repository);
  const between = (file: SourceFile): RoomImport[] => {
    const from = placeOf(file.path);
    if (from === null || isForTests(file.path)) return [];
    return importsOf(file, workspaces).flatMap(({ target, line }) => {
      const to = target === null ? null : placeOf(target);
      return to === null || to.app !== from.app || to.room === from.room ? [] : [{ path: file.path, line, from, to }];
    });
  };
  return repository.sources.flatMap(between);
}

export function roomsRanked(house: House): Rule {
  return {
    name: 'every room of an app stands on a floor',
    check(repository) {
      const ranked = new Set(
        Object.entries(house.floors).flatMap(([app, floors]) =>
          floors.flatMap(({ rooms }) => rooms.map((room) => `apps/${app}/src/${room}`)),
        ),
      );
      const there = new Set<string>();
      const names = new Set<string>();
      for (const { path } of repository.sources) {
        const place = placeOf(path);
        if (place === null || isForTests(path)) continue;
        there.add(`apps/${place.app}/src/${place.room}`);
        names.add(place.room);
      }
      const unranked = [...there].filter((path) => !ranked.has(path));
      // A slice may have its room in one app only.
      const gone = [...ranked].filter((path) => !names.has(path.slice(path.lastIndexOf('/') + 1)));
      return [
        ...unranked.map((path) => ({ path, line: 0, text: 'stands on no floor of floors.ts' })),
        ...gone.map((path) => ({ path, line: 0, text: 'has a floor and is not there' })),
      ];
    },
  };
}

export function importsLeadDown(house: House): Rule {
  return {
    name: 'no import of an app leads up a floor',
    check: (repository) =>
      importsBetweenRooms(repository).flatMap(({ path, line, from, to }) => {
        const [here, there] = [heightOf(house, from), heightOf(house, to)];
        if (here < 0 || there < 0 || there >= here) return [];
        return [
          { path, line, text: `${from.room} reaches up to ${to.path}; move what it needs down or send an event` },
        ];
      }),
  };
}

export function roomsApart(house: House): Rule {
  return {
    name: 'rooms of one floor meet only where the list says, and never both ways',
    check(repository) {
      const needed = new Set<string>();
      const reached = new Map<string, Set<string>>();
      const findings: Finding[] = [];
      for (const { path, line, from, to } of importsBetweenRooms(repository)) {
        if (heightOf(house, from) < 0 || heightOf(house, from) !== heightOf(house, to)) continue;
        const room = `apps/${from.app}/src/${from.room}`;
        reached.set(room, (reached.get(room) ?? new Set()).add(`apps/${to.app}/src/${to.room}`));
        const isListed = house.meetings.some(
          (meeting) => meeting.app === from.app && meeting.from === from.room && meeting.files.includes(to.path),
        );
        if (isListed) needed.add(`${room} ${to.path}`);
        else findings.push({ path, line, text: `${from.room} reaches into ${to.path}; send an event or list it` });
      }
      for (const { app, from, files } of house.meetings) {
        const room = `apps/${app}/src/${from}`;
        for (const file of files) {
          if (!needed.has(`${room} ${file}`)) {
            findings.push({ path: room, line: 0, text: `no longer reaches into ${file}; take it off the list` });
          }
        }
      }
      return [...findings, ...circlesAmong(reached)];
    },
  };
}

/** Rooms that reach themselves through others, each circle once. */
function circlesAmong(reached: ReadonlyMap<string, ReadonlySet<string>>): Finding[] {
  const reachedFrom = (start: string): Set<string> => {
    const seen = new Set<string>();
    const left = [...(reached.get(start) ?? [])];
    for (let room = left.pop(); room !== undefined; room = left.pop()) {
      if (seen.has(room)) continue;
      seen.add(room);
      left.push(...(reached.get(room) ?? []));
    }
    return seen;
  };
  const told = new Set<string>();
  return [...reached.keys()].flatMap((room) => {
    if (told.has(room) || !reachedFrom(room).has(room)) return [];
    const circle = [...reached.keys()].filter((other) => reachedFrom(room).has(other) && reachedFrom(other).has(room));
    for (const each of circle) told.add(each);
    return [{ path: room, line: 0, text: `goes in a circle: ${circle.sort().join(', ')}` }];
  });
}

export const helpersOfTests: Rule = {
  name: 'what helps tests of an app is no part of the app',
  check(repository) {
    const workspaces = workspacesOf(repository);
    return repository.sources.flatMap((file) => {
      if (placeOf(file.path) === null || isForTests(file.path)) return [];
      return importsOf(file, workspaces).flatMap(({ target, line }) =>
        target !== null && isForTests(target) ? [{ path: file.path, line, text: `${target} is for tests alone` }] : [],
      );
    });
  },
};

/** The floors of every app with their rooms, highest first, and who meets whom on one floor. */
export function describeRanking({ floors, meetings }: House): string {
  return Object.entries(floors)
    .map(([app, each]) => {
      const width = Math.max(...each.map(({ floor }) => floor.length));
      const lines = each.map(
        ({ floor, rooms }, index) => `${String(index + 1).padStart(4)}  ${floor.padEnd(width)}  ${rooms.join(' ')}`,
      );
      const meet = meetings
        .filter((meeting) => meeting.app === app)
        .flatMap(({ from, files, because }) => files.map((path) => `      ${from} -> ${path}: ${because}`));
      return [`apps/${app}`, ...lines, ...meet].join('\n');
    })
    .join('\n\n');
}
