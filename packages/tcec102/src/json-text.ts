/**
 * JSON (RFC 8259) that keeps the text of its numbers: 12.50 stays exact and an integer stays distinguishable from a
 * decimal, both of which JSON.parse loses. Bounded in length, depth and numbers of values and names; never throws.
 */
import { failed, ok, type Result } from '@voltdeck/units/result';

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;
/** Without a prototype, so that `__proto__` and `constructor` are names like others. */
export type JsonObject = { readonly [name: string]: Json };

/** `duplicate-name`: an object that says something twice has no one meaning. */
export type JsonFault = {
  because: 'too-long' | 'not-json' | 'too-deep' | 'too-many-values' | 'duplicate-name';
  /** Characters from the start. */
  at: number;
};

/** A page of 50 large stations, with its prices, has some 300,000 characters. */
export const jsonCharsMax = 2_097_152;
/** The deepest message of the protocol (statistics of connectors) nests 7 levels. */
export const jsonDepthMax = 16;
export const jsonValuesMax = 200_000;
/** The widest object of the protocol has 37. Names take longer to read than values, those of very many far longer. */
export const jsonNamesMax = 1_000;

/** @param valuesMax at most `jsonValuesMax` */
export function readJson(text: string, valuesMax = jsonValuesMax): Result<Json, JsonFault> {
  if (text.length > jsonCharsMax) return failed({ because: 'too-long', at: jsonCharsMax });
  const reader = new Reader(text, valuesMax);
  const value = reader.whole();
  if (value === undefined) return failed({ because: reader.because, at: reader.at });
  return ok(value);
}

export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);
}

/** Undefined means a fault: `because` and `at` then say which. */
class Reader {
  readonly #text: string;
  at = 0;
  because: JsonFault['because'] = 'not-json';
  #valuesLeft: number;

  constructor(text: string, valuesMax: number) {
    this.#text = text;
    this.#valuesLeft = valuesMax;
  }

  whole(): Json | undefined {
    const value = this.#value(0);
    if (value === undefined) return undefined;
    return Number.isNaN(this.#next()) ? value : undefined;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.at += 1;
    }
  }

  #value(depth: number): Json | undefined {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) return this.#fail('too-many-values');
    switch (this.#next()) {
      case quote:
        return this.#string();
      case openBrace:
        return depth === jsonDepthMax ? this.#fail('too-deep') : this.#object(depth + 1);
      case openBracket:
        return depth === jsonDepthMax ? this.#fail('too-deep') : this.#list(depth + 1);
      default:
        return this.#word();
    }
  }

  #object(depth: number): JsonObject | undefined {
    const object: Record<string, Json> = Object.create(null);
    let namesLeft = jsonNamesMax;
    this.at += 1;
    if (this.#next() === closeBrace) {
      this.at += 1;
      return object;
    }
    for (;;) {
      if (this.#next() !== quote) return undefined;
      const start = this.at;
      const name = this.#string();
      if (name === undefined) return undefined;
      if (name in object) {
        this.at = start;
        return this.#fail('duplicate-name');
      }
      namesLeft -= 1;
      if (namesLeft < 0) return this.#fail('too-many-values');
      if (this.#next() !== colon) return undefined;
      this.at += 1;
      const value = this.#value(depth);
      if (value === undefined) return undefined;
      object[name] = value;
      const code = this.#next();
      if (code !== comma && code !== closeBrace) return undefined;
      this.at += 1;
      if (code === closeBrace) return object;
    }
  }

  #list(depth: number): readonly Json[] | undefined {
    const list: Json[] = [];
    this.at += 1;
    if (this.#next() === closeBracket) {
      this.at += 1;
      return list;
    }
    for (;;) {
      const value = this.#value(depth);
      if (value === undefined) return undefined;
      list.push(value);
      const code = this.#next();
      if (code !== comma && code !== closeBracket) return undefined;
      this.at += 1;
      if (code === closeBracket) return list;
    }
  }

  #string(): string | undefined {
    const text = this.#text;
    const start = this.at;
    let isEscaped = false;
    for (let at = start + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.at = at + 1;
        if (!isEscaped) return text.slice(start + 1, at);
        return unescaped(text.slice(start, at + 1));
      }
      if (code < 0x20) return undefined;
      if (code === backslash) {
        isEscaped = true;
        at += 1;
      }
    }
    return undefined;
  }

  #word(): Json | undefined {
    wordForm.lastIndex = this.at;
    if (!wordForm.test(this.#text)) return undefined;
    const word = this.#text.slice(this.at, wordForm.lastIndex);
    this.at = wordForm.lastIndex;
    if (word === 'null') return null;
    return word === 'true' || word === 'false' ? word === 'true' : new JsonNumber(word);
  }

  #fail(because: JsonFault['because']): undefined {
    this.because = because;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;

/** A number, true, false or null (RFC 8259, sections 3 and 6). */
const wordForm = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The content of a quoted string; undefined for an invalid escape. */
function unescaped(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
