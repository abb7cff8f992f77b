import { printCheck, runProgram, staticChecks } from './checks.ts';

/** `npm run check`: all checks without tests, and a report of unused code. */
for (const check of await staticChecks()) {
  printCheck(check);
  if (!check.passed) process.exitCode = 1;
}
const unused = await runProgram('knip/bin/knip.js', ['--no-progress']);
console.log(`\nWhat nothing uses (a report, not a check):\n${unused.output.trim() || 'nothing'}`);
