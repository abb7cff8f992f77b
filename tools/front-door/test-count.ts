/** The result of a Vitest run. `unfinished` counts files and errors that belong to no test. */
export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/**
 * Counts the tests in a report of Vitest's JSON reporter. A file that could not be loaded counts as one failure, and so
 * does an exit code without any failure (an error outside of every test), and a run without tests.
 */
export function countTests(reportText: string | null, exitCode: number): TestCount {
  if (reportText === null) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(reportText) as Report;
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + unloaded;
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : 0;
  return { passed, failed: failed + unexplained, skipped: report.numPendingTests + report.numTodoTests };
}
