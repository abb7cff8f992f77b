import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './terminal.mjs';

/**
 * Seconds that the long test files take on two idle cores. The longest begin first, so that none is left alone at the
 * end; files that are not named take a second or two and fill the gaps.
 */
const seconds: Readonly<Record<string, number>> = {
  'tests/browser/accessibility.test.ts': 100,
  'tests/browser/rules-shell.test.ts': 40,
  'tests/browser/sign-in-registration.test.ts': 35,
  'tests/browser/system-screens.test.ts': 30,
  'tests/browser/content-screens.test.ts': 30,
  'tests/browser/background-export.test.ts': 12,
  'tests/journeys/export-outlives-kill.test.ts': 10,
  'tests/journeys/remote-start.test.ts': 31,
  'tests/browser/rules-messages.test.ts': 30,
  'tests/browser/rules-validation.test.ts': 26,
  'tests/browser/rules-layout.test.ts': 25,
  'tests/browser/rules-client.test.ts': 25,
  'tests/browser/sign-in.test.ts': 25,
  'tests/browser/live-lists.test.ts': 23,
  'tests/journeys/wrong-settings.test.ts': 23,
  'tests/journeys/handshake.test.ts': 21,
  'tools/regions/src/build-basemap.test.ts': 20,
  'tests/browser/rules-guard.test.ts': 28,
  'apps/server/src/database/embedded-postgres.test.ts': 18,
  'tools/world/src/demo.test.ts': 16,
  'tests/journeys/hostile-frames.test.ts': 15,
  'tools/world/src/live-network.test.ts': 14,
  'tests/browser/watch-a-charge.test.ts': 12,
  'tests/journeys/killed-server.test.ts': 12,
  'tools/world/src/write-history.test.ts': 11,
  'apps/server/src/main.test.ts': 9,
  'tests/browser/lighthouse.test.ts': 9,
  'tools/simulator/src/scenarios.test.ts': 7,
  'tests/journeys/database-away.test.ts': 7,
  'tools/simulator/src/fleet.test.ts': 6,
  'tests/journeys/idempotency.test.ts': 6,
  'apps/server/src/access/access.test.ts': 6,
  'tests/browser/position-story.test.ts': 9,
  'tests/browser/page-weight.test.ts': 12,
  'tests/browser/keyboard.test.ts': 6,
  'tools/world/src/plan-history.test.ts': 5,
  'apps/server/src/http/event-stream.test.ts': 5,
  'tools/world/src/build-world.test.ts': 5,
  'apps/server/src/orders/charge.test.ts': 4,
};

/** The order in which Vitest takes the files of all projects. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(root, moduleId).replaceAll('\\', '/')] ?? 1;
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
