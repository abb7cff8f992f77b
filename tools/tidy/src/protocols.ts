import { Visitor } from 'oxc-parser';
import { lineOf, type Repository, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

const statesFile = 'packages/charging/src/states.ts';
/** A protocol's own socket may name its protocol. */
const ownRoom = /^apps\/server\/src\/gateways\//;

export const protocolsByTable: Rule = {
  name: 'differences between protocols are in a table of all of them, not behind a comparison with one',
  check(repository) {
    const names = protocolsIn(repository);
    if (names.size === 0) return [{ path: statesFile, line: 0, text: 'lists no protocols' }];
    return repository.sources
      .filter(({ path, isTest }) => /^(?:apps|packages)\/[^/]+\/src\//.test(path) && !isTest && !ownRoom.test(path))
      .flatMap((file) => comparisonsIn(file, names));
  },
};

/** The members of `protocols` in packages/charging. */
function protocolsIn({ sources }: Repository): Set<string> {
  const text = sources.find(({ path }) => path === statesFile)?.text ?? '';
  const list = /\bprotocols = \[([^\]]*)\]/.exec(text)?.[1] ?? '';
  return new Set([...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name));
}

function comparisonsIn(file: SourceFile, names: ReadonlySet<string>): Finding[] {
  const found: Finding[] = [];
  const note = (node: { type: string; start: number; value?: unknown }): void => {
    if (node.type !== 'Literal' || typeof node.value !== 'string' || !names.has(node.value)) return;
    const text = `compares with '${node.value}'; the next protocol would fall to the other side unseen`;
    found.push({ path: file.path, line: lineOf(file.text, node.start), text });
  };
  new Visitor({
    BinaryExpression({ operator, left, right }) {
      if (!['===', '!==', '==', '!='].includes(operator)) return;
      note(left);
      note(right);
    },
  }).visit(file.program);
  return found;
}
