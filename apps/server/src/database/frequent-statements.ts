export type StatementLimits = Readonly<Record<'usesMin' | 'countedMax' | 'namesMax' | 'textLengthMax', number>> & {
  /** Whether a new text takes the place of the least used one when there are no more names; otherwise it gets none. */
  replaces: boolean;
};

export const statementLimits: StatementLimits = {
  /** Uses among the last `countedMax` statements that make a text worth a prepared plan. */
  usesMin: 10,
  countedMax: 5_000,
  /** Every connection of the pool may keep a plan of each, some tens of kilobytes. */
  namesMax: 100,
  /** Longer texts are built for one occasion. */
  textLengthMax: 8_000,
  replaces: false,
};

/**
 * Of a pool that is asked little else than the same statements, over and over: long texts that run briefly. A hundred
 * plans of the search take twenty megabytes of each connection. What is typed decides the text of a search, so anyone can
 * use up the names.
 */
export const alwaysPrepared: StatementLimits = {
  ...statementLimits,
  usesMin: 1,
  namesMax: 200,
  textLengthMax: 40_000,
  replaces: true,
};

type Named = { name: string; uses: number };

/**
 * Chooses the frequent statements, which are prepared under a name. PostgreSQL then parses and plans them once per
 * connection, which for the short statements of a charge costs more than executing them.
 */
export class FrequentStatements {
  readonly #limits: StatementLimits;
  /** By text, the least recently used first. */
  readonly #named = new Map<string, Named>();
  readonly #names = new Set<string>();
  #namesGiven = 0;
  #usesOfNamed = 0;
  #uses = new Map<string, number>();
  #counted = 0;

  constructor(limits: StatementLimits = statementLimits) {
    this.#limits = limits;
  }

  /** The name to prepare this text under; undefined while it is rare. */
  nameOf(text: string): string | undefined {
    const named = this.#named.get(text);
    if (named !== undefined) return this.#use(text, named);
    const { namesMax, replaces } = this.#limits;
    const isFull = this.#named.size >= namesMax;
    if ((isFull && !replaces) || !this.#isPreparable(text) || !this.#isFrequent(text)) return undefined;
    if (isFull) this.#takeName();
    return this.#giveName(text);
  }

  /** Names that texts have lost so far. */
  get namesTaken(): number {
    return this.#namesGiven - this.#names.size;
  }

  /** Whether a text has this name. None is given twice. */
  isName(name: string): boolean {
    return this.#names.has(name);
  }

  #use(text: string, named: Named): string {
    if (!this.#limits.replaces) return named.name;
    named.uses += 1;
    this.#named.delete(text);
    this.#named.set(text, named);
    this.#usesOfNamed += 1;
    if (this.#usesOfNamed >= this.#limits.countedMax) {
      this.#usesOfNamed = 0;
      for (const one of this.#named.values()) one.uses /= 2;
    }
    return named.name;
  }

  #takeName(): void {
    const [first, ...others] = this.#named;
    if (first === undefined) return;
    const [text, { name }] = others.reduce((least, one) => (one[1].uses < least[1].uses ? one : least), first);
    this.#named.delete(text);
    this.#names.delete(name);
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
    this.#namesGiven += 1;
    const name = `frequent_${this.#namesGiven}`;
    this.#named.set(text, { name, uses: 1 });
    this.#names.add(name);
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
