import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { house } from './floors.ts';
import { describeRanking } from './rooms.ts';
import { describeFinding, runTidy } from './run-tidy.ts';

/**
 * Prints violations of the rules of the house; exits with 1 if there are any. `ranking` prints the floors of the apps'
 * rooms instead.
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
