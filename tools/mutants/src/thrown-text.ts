import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface SyntaxNode {
  type: string;
}

/** A thrown error is a bug; what it says is for whoever mends it, and no test holds it to its words. */
const thrownText = {
  shouldIgnore(path: { node?: SyntaxNode; parent?: SyntaxNode }): string | undefined {
    return path.node?.type === 'NewExpression' && path.parent?.type === 'ThrowStatement'
      ? 'the words of a bug'
      : undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'thrown-text', thrownText)];
