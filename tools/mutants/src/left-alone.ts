import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface SyntaxNode {
  type: string;
  expression?: SyntaxNode;
  elements?: readonly SyntaxNode[];
  typeAnnotation?: { typeName?: { name?: string } };
}

/**
 * What is not changed, because only a copy of it could be a test: the words of a thrown bug, which are for whoever
 * mends it, and lists of words `as const`, which the compiler holds wherever one of them is used.
 */
const leftAlone = {
  shouldIgnore({ node, parent }: { node?: SyntaxNode; parent?: SyntaxNode }): string | undefined {
    if (node?.type === 'NewExpression' && parent?.type === 'ThrowStatement') return 'the words of a bug';
    return node !== undefined && isWordList(node) ? 'a list of words' : undefined;
  },
};

function isWordList({ type, expression, typeAnnotation }: SyntaxNode): boolean {
  return (
    type === 'TSAsExpression' &&
    typeAnnotation?.typeName?.name === 'const' &&
    expression?.type === 'ArrayExpression' &&
    (expression.elements ?? []).every((element) => element.type === 'StringLiteral')
  );
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'left-alone', leftAlone)];
