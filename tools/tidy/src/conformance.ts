import type { Repository } from './repository.ts';
import type { Finding, Rule } from './rule.ts';
import { namesTest, type TestTitle, testTitlesOf } from './test-titles.ts';

const document = 'docs/conformance.md';
const numbered = /^\d+(?:\.\d+)+$/;
const notBuilt = /^not built yet: \S/;
/** Our behaviour differs because the specified one would be unsafe or unkind; a test proves what it does instead. */
const deviation = /^deviates: \S/;
/** Tests of the specification's rules: each belongs to a row. */
const ruleTests = /^tests\/browser\/rules-[\w-]+\.test\.ts$/;

type Row = { number: string; says: string; proofs: string[]; line: number };

/** `| 2.1.3 | what it says | file › title<br>file › title |`, or `not built yet: where it comes` in the last cell; `deviates: why` beside a test. */
function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((written, index) => {
    const [before, number = '', says = '', proof = '', ...after] = written
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    if (before !== '' || !numbered.test(number) || after.length !== 1) return [];
    const proofs = proof.split('<br>').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
    return [{ number, says, proofs, line: index + 1 }];
  });
}

export const conformanceProven: Rule = {
  name: 'every row of the conformance table names an existing test, or says that it is not built yet',
  check(repository) {
    const file = repository.files.find(({ path }) => path === document);
    const rows = file === undefined ? [] : rowsOf(file.text);
    if (rows.length === 0) return [{ path: document, line: 0, text: 'has no rows' }];
    const titles = new Map<string, readonly TestTitle[]>();
    const titlesOf = (path: string) => {
      const known = titles.get(path);
      if (known !== undefined) return known;
      const source = repository.sources.find((each) => each.path === path && each.isTest);
      const read = source === undefined ? [] : testTitlesOf(source);
      titles.set(path, read);
      return read;
    };
    const findings: Finding[] = [];
    const seen = new Set<string>();
    const named = new Set<TestTitle>();
    for (const { number, says, proofs, line } of rows) {
      const say = (text: string) => findings.push({ path: document, line, text: `${number} ${text}` });
      if (seen.has(number)) say('is there twice');
      seen.add(number);
      if (says === '') say('says nothing');
      if (proofs.length === 0) say('names no test and does not say "not built yet: …"');
      if (proofs.length > 0 && proofs.every((proof) => deviation.test(proof))) say('deviates and names no test');
      for (const proof of proofs) {
        if (notBuilt.test(proof) || deviation.test(proof)) continue;
        const cut = proof.indexOf(' › ');
        const path = cut === -1 ? proof : proof.slice(0, cut);
        const title = cut === -1 ? '' : proof.slice(cut + 3);
        const known = titlesOf(path);
        const meant = known.filter((each) => namesTest(each, title));
        if (!/\.test\.tsx?$/.test(path) || !isThere(repository, path)) say(`names ${path}, which is no test file here`);
        else if (meant.length === 0) say(`names a test that ${path} does not have: ${title}`);
        for (const each of meant) named.add(each);
      }
    }
    for (const { path } of repository.sources.filter((source) => ruleTests.test(source.path))) {
      for (const title of titlesOf(path).filter((each) => !named.has(each))) {
        findings.push({ path, line: 0, text: `no row of ${document} names "${title.written}"` });
      }
    }
    return findings;
  },
};

function isThere(repository: Repository, path: string): boolean {
  return repository.sources.some((source) => source.path === path);
}
