import { readArguments, usage } from './arguments.ts';
import { filesToChange } from './files-to-change.ts';
import { knownSurvivors } from './known-survivors.ts';
import { mutatePackage } from './mutate-package.ts';
import { describeWeighing, isEnough, weighMutants } from './weigh-mutants.ts';

const exitUsage = 64;

const request = readArguments(process.argv.slice(2));
if (request === 'help') {
  console.log(usage);
} else if ('fault' in request) {
  console.error(`${request.fault}\n\n${usage}`);
  process.exitCode = exitUsage;
} else {
  if (request.root !== null) process.chdir(request.root);
  const reports: string[] = [];
  for (const named of request.packages) {
    const files = await filesToChange(named, request.since);
    if (files.length === 0) {
      reports.push(`${named}: nothing to change`);
      continue;
    }
    const begun = performance.now();
    const mutants = await mutatePackage(named.split('/')[0] ?? named, files, request);
    const weighing = weighMutants(mutants, knownSurvivors, files);
    reports.push(describeWeighing(named, weighing, (performance.now() - begun) / 1_000));
    if (!isEnough(weighing)) process.exitCode = 1;
  }
  console.log(`\n${reports.join('\n')}`);
}
