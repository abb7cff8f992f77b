import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { house } from './floors.ts';
import { describeRanking } from './rooms.ts';
import { describeFinding, runTidy } from './run-tidy.ts';

/**
 * Prints what breaks the rules of the house; exit code 1 when anything does. `ranking` prints the floors that the rooms
 * of the apps stand on instead.
 */
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
if (process.argv[2] === 'ranking') console.log(describeRanking(house));
else {
  for (const { rule, findings } of await runTidy(root)) {
    console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${rule}`);
    for (const finding of findings) console.log(`     ${describeFinding(finding)}`);
    if (findings.length > 0) process.exitCode = 1;
  }
}
