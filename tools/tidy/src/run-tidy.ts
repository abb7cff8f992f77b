import { homedir, hostname } from 'node:os';
import { conformanceProven } from './conformance.ts';
import { house } from './floors.ts';
import { importDirections, noCycles } from './import-directions.ts';
import { type Machine, noMachinePaths, nothingLeftBehind } from './left-behind.ts';
import { lockFile } from './lock-file.ts';
import { migrationsInOrder } from './migrations.ts';
import { exportedNames, fileNames, noBarrels } from './names.ts';
import { orderWordsComplete } from './order-words.ts';
import { packagesArePure } from './package-purity.ts';
import { wordsComeAlong } from './page-words.ts';
import { noTextOutsidePhrases, phrasesComplete, phrasesUsed } from './phrases.ts';
import { protocolsByTable } from './protocols.ts';
import { readRepository } from './repository.ts';
import { helpersOfTests, importsLeadDown, roomsApart, roomsRanked } from './rooms.ts';
import { routesBound, routesPermitted } from './routes.ts';
import type { Finding, Rule } from './rule.ts';
import { screensByValue } from './screens.ts';
import { stateNamed } from './state.ts';

export function rulesFor(machine: Machine): readonly Rule[] {
  return [
    importDirections,
    noCycles,
    roomsRanked(house),
    importsLeadDown(house),
    roomsApart(house),
    helpersOfTests,
    stateNamed,
    protocolsByTable,
    screensByValue,
    packagesArePure,
    fileNames,
    exportedNames,
    noBarrels,
    phrasesComplete,
    phrasesUsed,
    wordsComeAlong,
    orderWordsComplete,
    noTextOutsidePhrases,
    routesPermitted,
    routesBound,
    conformanceProven,
    lockFile,
    migrationsInOrder,
    noMachinePaths(machine),
    nothingLeftBehind,
  ];
}

/** Checks every rule of the house against the repository at `root`. */
export async function runTidy(root: string): Promise<{ rule: string; findings: Finding[] }[]> {
  const repository = readRepository(root);
  const machine: Machine = { root, home: homedir(), host: hostname(), registry: registryHost() };
  const results: { rule: string; findings: Finding[] }[] = [];
  for (const rule of rulesFor(machine)) results.push({ rule: rule.name, findings: await rule.check(repository) });
  return results;
}

/** npm passes its registry to its scripts. */
function registryHost(): string {
  const address = process.env.npm_config_registry ?? '';
  return URL.canParse(address) ? new URL(address).host : '';
}

/** "path:line text", as editors and terminals link it. */
export function describeFinding({ path, line, text }: Finding): string {
  return `${path}${line > 0 ? `:${line}` : ''} ${text}`;
}
