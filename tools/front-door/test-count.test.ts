import { expect, test } from 'vitest';
import { countTests } from './test-count.ts';

function report(overrides: object): string {
  return JSON.stringify({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
    ...overrides,
  });
}

test('passed, failed and skipped tests are counted', () => {
  const text = report({
    numFailedTests: 2,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [{ status: 'failed', assertionResults: [{}] }],
  });
  expect(countTests(text, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('a file that cannot be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ];
  expect(countTests(report({ testResults }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('an exit code without a failed test counts as a failure', () => {
  expect(countTests(report({}), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(countTests(report({}), 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
});

test('a run without tests counts as a failure', () => {
  expect(countTests(report({ numPassedTests: 0, testResults: [] }), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countTests(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
