import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './terminal.mjs';

/**
 * Seconds that the long test files take in a whole run, four or five at once on two cores. The longest begin first, so that none
 * is left alone at the end; files that are not named take a second or two and fill the gaps.
 */
const seconds: Readonly<Record<string, number>> = {
  'tests/browser/accessibility.test.ts': 417,
  'tests/browser/content-screens.test.ts': 99,
  'tests/browser/rules-shell.test.ts': 92,
  'tests/browser/rules-guard.test.ts': 85,
  'tests/journeys/killed-server.test.ts': 80,
  'tests/browser/rules-client.test.ts': 72,
  'tests/browser/rules-messages.test.ts': 70,
  'tests/journeys/ykc-killed-server.test.ts': 60,
  'tools/simulator/src/fleet.test.ts': 59,
  'tests/browser/rules-layout.test.ts': 50,
  'tests/browser/live-lists.test.ts': 50,
  'tests/browser/sign-in-registration.test.ts': 50,
  'apps/server/src/access/sign-in.test.ts': 50,
  'tests/browser/system-screens.test.ts': 48,
  'tests/journeys/hostile-frames.test.ts': 45,
  'tests/journeys/wrong-settings.test.ts': 42,
  'tests/browser/sign-in.test.ts': 41,
  'apps/server/src/database/embedded-postgres.test.ts': 40,
  'tools/regions/src/build-basemap.test.ts': 40,
  'tests/journeys/replay.test.ts': 40,
  'tests/journeys/remote-start.test.ts': 39,
  'tools/world/src/demo.test.ts': 38,
  'tests/browser/interaction-log.test.ts': 34,
  'apps/server/src/main.test.ts': 33,
  'tools/world/src/write-history.test.ts': 31,
  'tests/journeys/handshake.test.ts': 28,
  'tests/browser/page-weight.test.ts': 26,
  'tests/browser/keyboard.test.ts': 25,
  'tools/world/src/live-network.test.ts': 25,
  'tests/browser/rules-validation.test.ts': 24,
  'tests/journeys/idempotency.test.ts': 23,
  'tools/simulator/src/ykc/virtual-pile.test.ts': 23,
  'tests/browser/watch-a-charge.test.ts': 22,
  'tests/journeys/database-away.test.ts': 21,
  'tests/browser/position-story.test.ts': 19,
  'tests/journeys/export-outlives-kill.test.ts': 19,
  'tests/browser/lighthouse.test.ts': 19,
  'apps/server/src/logs/tail-logs.test.ts': 16,
  'tests/browser/background-export.test.ts': 14,
  'tools/simulator/src/scenarios.test.ts': 14,
  'tools/mutants/src/mutants.test.ts': 12,
  'apps/server/src/access/registration.test.ts': 11,
  'tools/world/src/build-world.test.ts': 11,
  'apps/server/src/tasks/tasks.test.ts': 8,
  'apps/server/src/access/users/users.test.ts': 7,
  'tools/world/src/plan-history.test.ts': 7,
  'apps/server/src/gateways/ykc-socket.test.ts': 7,
  'tests/journeys/three-periods.test.ts': 6,
  'apps/server/src/http/event-stream.test.ts': 6,
  'tests/journeys/ykc-charge.test.ts': 5,
  'packages/ocpp16/src/hostile-input.test.ts': 5,
};

/** From here on a file begins before all that are shorter, whatever its project. */
const longSeconds = 20;

/**
 * The order in which Vitest runs the files of all projects: what shares modules first, then long files, then short ones.
 * A worker is kept for another file only while the next in the queue is of the same project, so the files of a project
 * that shares modules stand together.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId).replaceAll('\\', '/')] ?? 1;
    const longest = (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    const sharing = longest.filter(({ project }) => !project.config.isolate);
    const alone = longest.filter(({ project }) => project.config.isolate);
    const together = [...Map.groupBy(sharing, ({ project }) => project.name).values()];
    // What a project's longest file takes decides where the project stands.
    const isLong = (group: TestSpecification[]) => group.some((file) => secondsOf(file) >= longSeconds);
    return [
      ...together.filter(isLong).flat(),
      ...alone.filter((file) => secondsOf(file) >= longSeconds),
      ...together.filter((group) => !isLong(group)).flat(),
      ...alone.filter((file) => secondsOf(file) < longSeconds),
    ];
  }
}
