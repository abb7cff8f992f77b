import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface SyntaxNode {
  type: string;
  expression?: SyntaxNode;
  elements?: readonly SyntaxNode[];
}

/** Code that is not changed, because only a copy of it could test it: messages of bugs, which are for developers. */
const leftAlone = {
  shouldIgnore({ node, parent }: { node?: SyntaxNode; parent?: SyntaxNode }): string | undefined {
    if (node?.type === 'NewExpression' && parent?.type === 'ThrowStatement') return 'the words of a bug';
    if (node !== undefined) unwrapCasts(node);
    return undefined;
  },
};

/**
 * Stryker skips everything before an `as`, even tables of limits `as const`. A cast does nothing at run time, so it is
 * removed here, where each node is visited before its children. Lists of words keep theirs: the compiler checks them
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
