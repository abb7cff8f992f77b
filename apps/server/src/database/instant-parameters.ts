import {
  type BinaryOperationNode,
  type ColumnNode,
  ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';

/**
 * Accepts an Instant (milliseconds) wherever a timestamptz column is written or compared, just as one is read;
 * PostgreSQL itself refuses the bare number. Columns are recognised by name: every timestamptz column, and no other, is
 * called `at` or ends with `_at`, which the generator of the table types enforces. `sql` templates have no column to
 * look at: write `to_timestamp(${at} / 1000.0)` there.
 */
export class InstantParameters implements KyselyPlugin {
  readonly #transformer = new Transformer();

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node, args.queryId);
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result;
  }
}

/** Whether a column with that name holds an Instant. */
export function isInstantColumn(name: string): boolean {
  return name === 'at' || name.endsWith('_at');
}

function toTimestamptz(value: unknown): unknown {
  return typeof value === 'number' ? new Date(value).toISOString() : value;
}

class Transformer extends OperationNodeTransformer {
  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const transformed = super.transformInsertQuery(node, queryId);
    const { columns, values } = transformed;
    if (columns === undefined || values === undefined || !ValuesNode.is(values)) return transformed;
    const instants = columns.map(({ column }) => isInstantColumn(column.name));
    if (!instants.includes(true)) return transformed;
    const rows = values.values.map((row) => {
      if (PrimitiveValueListNode.is(row)) {
        return PrimitiveValueListNode.create(
          row.values.map((value, index) => (instants[index] ? toTimestamptz(value) : value)),
        );
      }
      return ValueListNode.create(row.values.map((value, index) => (instants[index] ? withTimestamptz(value) : value)));
    });
    return { ...transformed, values: ValuesNode.create(rows) };
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    const transformed = super.transformColumnUpdate(node, queryId);
    return isInstantColumn(columnName(transformed.column) ?? '')
      ? ColumnUpdateNode.create(transformed.column, withTimestamptz(transformed.value))
      : transformed;
  }

  protected override transformBinaryOperation(node: BinaryOperationNode, queryId?: QueryId): BinaryOperationNode {
    const transformed = super.transformBinaryOperation(node, queryId);
    return isInstantColumn(columnName(transformed.leftOperand) ?? '')
      ? { ...transformed, rightOperand: withTimestamptz(transformed.rightOperand) }
      : transformed;
  }
}

function columnName(node: OperationNode): string | null {
  if (node.kind === 'ColumnNode') return (node as ColumnNode).column.name;
  if (node.kind === 'ReferenceNode' && 'column' in node) return columnName(node.column as OperationNode);
  return null;
}

/** Converts a value, or every value of a list (`in`, `between`). */
function withTimestamptz(node: OperationNode): OperationNode {
  if (ValueNode.is(node)) return typeof node.value === 'number' ? ValueNode.create(toTimestamptz(node.value)) : node;
  if (PrimitiveValueListNode.is(node)) return PrimitiveValueListNode.create(node.values.map(toTimestamptz));
  if (ValueListNode.is(node)) return ValueListNode.create(node.values.map(withTimestamptz));
  if (node.kind === 'AndNode' && 'left' in node && 'right' in node) {
    return {
      ...node,
      left: withTimestamptz(node.left as OperationNode),
      right: withTimestamptz(node.right as OperationNode),
    } as OperationNode;
  }
  return node;
}
