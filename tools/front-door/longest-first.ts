import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './terminal.mjs';

/**
 * Seconds that the long test files take in a whole run, four at once on two cores. The longest begin first, so that none
 * is left alone at the end; files that are not named take a second or two and fill the gaps.
 */
const seconds: Readonly<Record<string, number>> = {
  'tests/browser/accessibility.test.ts': 441,
  'tests/browser/rules-guard.test.ts': 123,
  'tests/browser/rules-shell.test.ts': 108,
  'tests/browser/content-screens.test.ts': 108,
  'tests/browser/rules-client.test.ts': 104,
  'tests/browser/rules-messages.test.ts': 98,
  'tests/browser/rules-layout.test.ts': 71,
  'tests/browser/live-lists.test.ts': 70,
  'tests/browser/system-screens.test.ts': 58,
  'tests/browser/sign-in.test.ts': 55,
  'tests/journeys/hostile-frames.test.ts': 53,
  'tests/browser/sign-in-registration.test.ts': 53,
  'apps/server/src/database/embedded-postgres.test.ts': 44,
  'tests/journeys/wrong-settings.test.ts': 43,
  'tests/journeys/killed-server.test.ts': 42,
  'tests/journeys/ykc-killed-server.test.ts': 40,
  'tools/world/src/demo.test.ts': 38,
  'tests/journeys/remote-start.test.ts': 37,
  'tests/browser/page-weight.test.ts': 36,
  'tools/world/src/write-history.test.ts': 35,
  'tests/browser/interaction-log.test.ts': 35,
  'tools/regions/src/build-basemap.test.ts': 33,
  'tests/browser/rules-validation.test.ts': 32,
  'apps/server/src/main.test.ts': 30,
  'tests/journeys/idempotency.test.ts': 29,
  'tests/journeys/handshake.test.ts': 29,
  'apps/server/src/access/sign-in.test.ts': 28,
  'tests/browser/keyboard.test.ts': 25,
  'tests/browser/watch-a-charge.test.ts': 20,
  'tests/browser/background-export.test.ts': 20,
  'tests/journeys/export-outlives-kill.test.ts': 19,
  'tests/journeys/database-away.test.ts': 19,
  'tests/browser/position-story.test.ts': 19,
  'tests/browser/lighthouse.test.ts': 18,
  'tools/world/src/live-network.test.ts': 17,
  'tools/simulator/src/fleet.test.ts': 17,
  'apps/server/src/access/registration.test.ts': 16,
  'tests/journeys/ykc-charge.test.ts': 15,
  'tools/world/src/build-world.test.ts': 13,
  'apps/server/src/access/users/users.test.ts': 13,
  'tools/world/src/plan-history.test.ts': 12,
  'tools/simulator/src/scenarios.test.ts': 9,
  'apps/server/src/tasks/tasks.test.ts': 8,
  'apps/server/src/content/files/upload.test.ts': 8,
  'apps/server/src/access/access-matrix.test.ts': 7,
  'packages/ocpp16/src/hostile-input.test.ts': 6,
  'apps/server/src/http/event-stream.test.ts': 6,
  'tests/journeys/three-periods.test.ts': 5,
  'apps/server/src/orders/charge.test.ts': 5,
  'apps/server/src/access/audit-log.test.ts': 5,
  'apps/server/src/access/access.test.ts': 5,
};

/** The order in which Vitest takes the files of all projects. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId).replaceAll('\\', '/')] ?? 1;
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
