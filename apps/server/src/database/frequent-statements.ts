export type StatementLimits = Readonly<Record<'usesMin' | 'countedMax' | 'namesMax' | 'textLengthMax', number>>;

export const statementLimits: StatementLimits = {
  /** Uses among the last `countedMax` statements that make a text worth a prepared plan. */
  usesMin: 10,
  countedMax: 5_000,
  /** Every connection of the pool may keep a plan of each, some tens of kilobytes. */
  namesMax: 100,
  /** Longer texts are built for one occasion. */
  textLengthMax: 8_000,
};

/**
 * Of a pool that is asked little else than the same long statements, over and over. A hundred plans of the search take
 * twenty megabytes of each connection.
 */
export const alwaysPrepared: StatementLimits = { ...statementLimits, usesMin: 1, namesMax: 200, textLengthMax: 40_000 };

/**
 * Chooses the frequent statements, which are prepared under a name. PostgreSQL then parses and plans them once per
 * connection, which for the short statements of a charge costs more than executing them.
 */
export class FrequentStatements {
  readonly #limits: StatementLimits;
  readonly #names = new Map<string, string>();
  #uses = new Map<string, number>();
  #counted = 0;

  constructor(limits: StatementLimits = statementLimits) {
    this.#limits = limits;
  }

  /** The name to prepare this text under; undefined while it is rare. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= this.#limits.namesMax) return name;
    return this.#isPreparable(text) && this.#isFrequent(text) ? this.#giveName(text) : undefined;
  }

  #isFrequent(text: string): boolean {
    if (this.#counted >= this.#limits.countedMax) {
      this.#uses = new Map();
      this.#counted = 0;
    }
    this.#counted += 1;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    return uses >= this.#limits.usesMin;
  }

  #giveName(text: string): string {
    const name = `frequent_${this.#names.size + 1}`;
    this.#names.set(text, name);
    this.#uses.delete(text);
    return name;
  }

  /**
   * A prepared plan's columns are fixed: `*` would fail on every connection after another node's migration added one.
   * Statements that are not queries (begin, copy, set) have no plan.
   */
  #isPreparable(text: string): boolean {
    return (
      text.length <= this.#limits.textLengthMax &&
      /^[\s(]*(select|insert|update|delete|with)\b/i.test(text) &&
      !/(\bselect|\breturning|\.|,)\s*\*/i.test(text)
    );
  }
}
