import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface SyntaxNode {
  type: string;
  expression?: SyntaxNode;
  elements?: readonly SyntaxNode[];
}

/** What is not changed, because only a copy of it could be a test: the words of a bug, which are for whoever mends it. */
const leftAlone = {
  shouldIgnore({ node, parent }: { node?: SyntaxNode; parent?: SyntaxNode }): string | undefined {
    if (node?.type === 'NewExpression' && parent?.type === 'ThrowStatement') return 'the words of a bug';
    if (node !== undefined) unwrapCasts(node);
    return undefined;
  },
};

/**
 * Stryker passes over everything before an `as`, tables of limits `as const` too. A cast does nothing at run time, so it
 * is taken out here, where each node is seen before those below it. Lists of words keep theirs: the compiler holds them
 * wherever one is used.
 */
function unwrapCasts(node: object): void {
  for (const [key, child] of Object.entries(node)) {
    if (Array.isArray(child)) unwrapCasts(child);
    else if (isCast(child) && !isWordList(child.expression)) Object.assign(node, { [key]: child.expression });
  }
}

function isCast(child: SyntaxNode | null | undefined): child is SyntaxNode & { expression: SyntaxNode } {
  return child?.type === 'TSAsExpression';
}

function isWordList({ type, elements = [] }: SyntaxNode): boolean {
  return type === 'ArrayExpression' && elements.every((element) => element.type === 'StringLiteral');
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'left-alone', leftAlone)];
