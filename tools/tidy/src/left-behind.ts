import { lineOf, type TextFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/** What identifies the machine that holds the repository. */
export interface Machine {
  /** The path of this checkout. */
  root: string;
  home: string;
  host: string;
  registry: string;
}

/** Paths and hosts that every machine has, so that naming them reveals nothing. */
const everywhere = /^(\/|\/root|\/home|\/tmp|\/app|\/src|localhost|registry\.npmjs\.org)?$/;

export function noMachinePaths(machine: Machine): Rule {
  const { root, home, host, registry } = machine;
  const telling = [root, root.split('/').slice(0, -1).join('/').concat('/'), home, registry]
    .filter((each) => each.length >= 5 && !everywhere.test(each.replace(/\/$/, '')))
    // A bare host name may be any word; only a qualified one is revealing.
    .concat(host.includes('.') ? [host] : []);
  return {
    name: 'no file names a path, host or registry of the machine it was written on',
    check: ({ files }) => files.flatMap((file) => telling.flatMap((text) => occurrences(file, text))),
  };
}

function occurrences(file: TextFile, searched: string): Finding[] {
  const findings: Finding[] = [];
  for (let at = file.text.indexOf(searched); at !== -1; at = file.text.indexOf(searched, at + 1)) {
    findings.push({ path: file.path, line: lineOf(file.text, at), text: `names "${searched}"` });
  }
  return findings;
}

const marks = [
  { pattern: /\b(TODO|FIXME|XXX|HACK)\b/g, says: 'left for later; finish it or say it in the docs' },
  { pattern: /@ts-(ignore|nocheck|expect-error)/g, says: 'silences the compiler' },
  { pattern: /\b(test|it|describe)\.(skip|only|todo)\b/g, says: 'keeps tests from running' },
];

/** This folder mentions the marks itself. */
const speaksOfMarks = /^tools\/tidy\/src\/|^(CONTRIBUTING|README)\.md$|^docs\//;

export const nothingLeftBehind: Rule = {
  name: 'nothing is left for later, silenced or skipped',
  check: ({ files }) =>
    files
      .filter(({ path }) => !speaksOfMarks.test(path) && !/package-lock\.json$|\.generated\./.test(path))
      .flatMap((file) =>
        marks.flatMap(({ pattern, says }) =>
          [...file.text.matchAll(pattern)].map((match) => ({
            path: file.path,
            line: lineOf(file.text, match.index),
            text: `${match[0]} ${says}`,
          })),
        ),
      ),
};
