/** Where a value is: list indexes and field names, from outside in. */
export type Place = readonly (number | string)[];

export type JsonValue = {
  /** Characters from the start, up to but not including `end`. */
  offset: number;
  end: number;
  /** A string's content; other values unchanged. */
  value: string;
};

type Container = { kind: 'list'; index: number } | { kind: 'object'; field: string };
type Expected = 'value' | 'value or end' | 'field' | 'field or end' | 'colon' | 'comma or end' | 'nothing';

/**
 * Reads JSON (RFC 8259) value by value with the position of each, which JSON.parse does not give. Never throws, never
 * recurses, and takes linear time. Lists and objects are not values themselves, only what they contain.
 */
export class JsonReader {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #stack: Container[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #brokenAt: number | null = null;
  #endedAt: number | null = null;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  /** The position where the text stops being JSON, or nests too deeply; null so far. */
  get brokenAt(): number | null {
    return this.#brokenAt;
  }

  /** The position after the complete JSON value; null until its end. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  /** The place of the last value from `next`. */
  place(): Place {
    return this.#stack.map((each) => (each.kind === 'list' ? each.index : each.field));
  }

  /** The next string, number, true, false or null; null at the end and at a fault. */
  next(): JsonValue | null {
    while (this.#brokenAt === null) {
      this.#skipSpace();
      const character = this.#text[this.#at];
      if (character === undefined) {
        if (this.#expected !== 'nothing') this.#brokenAt = this.#at;
        return null;
      }
      const value = this.#take(character);
      if (value !== null) return value;
    }
    return null;
  }

  #take(character: string): JsonValue | null {
    switch (this.#expected) {
      case 'value':
      case 'value or end':
        if (character === ']' && this.#expected === 'value or end') return this.#leave('list');
        return this.#value(character);
      case 'field':
      case 'field or end':
        if (character === '}' && this.#expected === 'field or end') return this.#leave('object');
        return this.#field(character);
      case 'colon':
        return character === ':' ? this.#pass('value') : this.#break();
      case 'comma or end':
        return this.#after(character);
      case 'nothing':
        return this.#break();
    }
  }

  #value(character: string): JsonValue | null {
    if (character === '[' || character === '{') return this.#enter(character);
    const offset = this.#at;
    const isString = character === '"';
    const end = isString ? endOfString(this.#text, offset) : endOfWord(this.#text, offset);
    if (end === null) return this.#break();
    const raw = this.#text.slice(offset, end);
    const value = isString ? unquoted(raw) : raw;
    if (value === null) return this.#break();
    this.#at = end;
    this.#goOn();
    return { offset, end, value };
  }

  #enter(character: '[' | '{'): null {
    if (this.#stack.length >= this.#depthMax) return this.#break();
    this.#stack.push(character === '[' ? { kind: 'list', index: 0 } : { kind: 'object', field: '' });
    return this.#pass(character === '[' ? 'value or end' : 'field or end');
  }

  #field(character: string): null {
    const end = character === '"' ? endOfString(this.#text, this.#at) : null;
    const name = end === null ? null : unquoted(this.#text.slice(this.#at, end));
    const container = this.#stack.at(-1);
    if (end === null || name === null || container?.kind !== 'object') return this.#break();
    container.field = name;
    this.#at = end;
    this.#expected = 'colon';
    return null;
  }

  #after(character: string): null {
    const container = this.#stack.at(-1);
    if (container === undefined) return this.#break();
    if (character !== ',') {
      return character === (container.kind === 'list' ? ']' : '}') ? this.#leave(container.kind) : this.#break();
    }
    if (container.kind === 'object') return this.#pass('field');
    container.index += 1;
    return this.#pass('value');
  }

  #leave(kind: Container['kind']): null {
    if (this.#stack.pop()?.kind !== kind) return this.#break();
    this.#at += 1;
    this.#goOn();
    return null;
  }

  /** Continues after a value, a list or an object. */
  #goOn(): void {
    this.#expected = this.#stack.length === 0 ? 'nothing' : 'comma or end';
    if (this.#stack.length === 0) this.#endedAt = this.#at;
  }

  #pass(expected: Expected): null {
    this.#at += 1;
    this.#expected = expected;
    return null;
  }

  #break(): null {
    this.#brokenAt = this.#at;
    return null;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return;
      this.#at += 1;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** The position after the closing quote; null without one. */
function endOfString(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < 0x20) return null;
    if (code === backslash) at += 1;
  }
  return null;
}

/** A number, true, false or null (RFC 8259, sections 3 and 6). */
const word = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

function endOfWord(text: string, from: number): number | null {
  word.lastIndex = from;
  return word.test(text) ? word.lastIndex : null;
}

/** The content of a quoted string; null for an invalid escape. */
function unquoted(raw: string): string | null {
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return null;
  }
}
