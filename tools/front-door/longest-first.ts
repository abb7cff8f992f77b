import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './terminal.mjs';

/**
 * Seconds that the long test files take in a whole run, five at once on two cores. The longest begin first, so that none
 * is left alone at the end; files that are not named take a few seconds and fill the gaps.
 */
const seconds: Readonly<Record<string, number>> = {
  'tests/browser/accessibility.test.ts': 494,
  'tests/browser/forms.test.ts': 169,
  'tests/browser/site-screens.test.ts': 157,
  'tests/browser/first-network.test.ts': 125,
  'tests/browser/rule-editor.test.ts': 122,
  'tests/journeys/hostile-frames.test.ts': 110,
  'tests/browser/rules-guard.test.ts': 106,
  'tests/browser/station-commands.test.ts': 93,
  'tests/browser/rules-shell.test.ts': 92,
  'tests/browser/content-screens.test.ts': 85,
  'tests/browser/keyboard.test.ts': 83,
  'tests/browser/list-views.test.ts': 71,
  'tests/browser/rules-client.test.ts': 70,
  'tests/journeys/killed-server.test.ts': 67,
  'apps/server/src/access/sign-in.test.ts': 67,
  'tests/browser/rules-messages.test.ts': 65,
  'apps/server/src/http/lists.test.ts': 64,
  'tests/browser/search.test.ts': 63,
  'tools/simulator/src/fleet.test.ts': 60,
  'apps/server/src/http/hostile-input.test.ts': 60,
  'tests/journeys/ykc-killed-server.test.ts': 57,
  'tests/browser/port-screens.test.ts': 56,
  'tests/browser/system-screens.test.ts': 55,
  'apps/server/src/main.test.ts': 54,
  'apps/server/src/access/registration.test.ts': 51,
  'tests/browser/live-lists.test.ts': 48,
  'tests/browser/home-figures.test.ts': 47,
  'tests/browser/sign-in-registration.test.ts': 46,
  'apps/server/src/database/embedded-postgres.test.ts': 44,
  'tests/journeys/replay.test.ts': 41,
  'apps/server/src/exports/export-thread.test.ts': 37,
  'tests/browser/home-monitor.test.ts': 36,
  'tools/world/src/write-history.test.ts': 35,
  'tests/journeys/port-test-run.test.ts': 34,
  'tests/browser/rules-layout.test.ts': 33,
  'tools/world/src/demo.test.ts': 32,
  'tests/journeys/export-outlives-kill.test.ts': 31,
  'tests/browser/money-screens.test.ts': 31,
  'tools/regions/src/build-basemap.test.ts': 30,
  'tests/browser/factory-identities.test.ts': 30,
  'tools/world/src/build-world.test.ts': 29,
  'tests/browser/sign-in.test.ts': 28,
  'tests/browser/order-page.test.ts': 28,
  'tests/journeys/remote-start.test.ts': 26,
  'tests/journeys/price-change.test.ts': 26,
  'tests/browser/rules-stations.test.ts': 25,
  'tests/browser/position-story.test.ts': 25,
  'tests/browser/no-network.test.ts': 25,
  'apps/server/src/tasks/tasks.test.ts': 25,
  'tests/journeys/handshake.test.ts': 24,
  'tests/journeys/idempotency.test.ts': 23,
  'tests/browser/map-tiles.test.ts': 23,
  'tests/browser/page-weight.test.ts': 22,
  'tests/browser/interaction-log.test.ts': 22,
  'tests/browser/waiting-order.test.ts': 21,
  'apps/server/src/access/access-matrix.test.ts': 21,
  'tests/browser/start-choices.test.ts': 20,
  'tests/journeys/wrong-settings.test.ts': 18,
  'tools/world/src/live-network.test.ts': 17,
  'apps/server/src/stations/labels/label-sheet.test.ts': 17,
  'apps/server/src/overview/search-records.test.ts': 17,
  'apps/server/src/charging/free-charge.test.ts': 17,
  'apps/server/src/access/users/users.test.ts': 17,
  'tests/browser/rules-validation.test.ts': 16,
  'tests/browser/background-export.test.ts': 16,
  'apps/server/src/stations/imports/import.test.ts': 16,
  'tools/mutants/src/mutants.test.ts': 15,
  'tests/journeys/ykc-charge.test.ts': 15,
  'apps/server/src/overview/find-first-steps.test.ts': 15,
  'apps/server/src/logs/tail-logs.test.ts': 15,
  'tools/world/src/plan-history.test.ts': 14,
  'tests/browser/watch-a-charge.test.ts': 13,
  'tests/journeys/database-away.test.ts': 12,
  'apps/server/src/price-changes/price-changes.test.ts': 12,
  'apps/server/src/personal/personal.test.ts': 12,
  'apps/server/src/gateways/registered-stations.test.ts': 12,
  'tools/simulator/src/ykc/virtual-pile.test.ts': 11,
  'tests/journeys/three-periods.test.ts': 11,
  'tests/browser/kept-tab.test.ts': 11,
  'tests/journeys/import-outlives-kill.test.ts': 10,
  'tests/browser/lighthouse.test.ts': 10,
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
