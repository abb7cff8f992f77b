import { withoutSecrets } from '@voltdeck/tcec102/secret-fields';
import type { Instant } from '@voltdeck/units/instant';

/** One question and its answer, decrypted, with the secrets struck out. */
export type Exchange = {
  number: number;
  at: Instant;
  /** `sent`: the bench asked. */
  direction: 'sent' | 'heard';
  interfaceName: string;
  request: string;
  answer: string;
  /** Null where no answer came, or none was given. */
  ret: number | null;
  httpStatus: number | null;
  /** What was wrong on the way, or done on purpose; empty where nothing was. */
  remark: string;
  tookMs: number;
};

/** `token`: what the request carried, if it did; it is kept nowhere. */
export type Noted = Omit<Exchange, 'number'> & { token: string | null };

/** What is kept: a joint test is some hundred exchanges. */
const exchangesMax = 2_000;
/** What is kept of one text. */
const textCharsMax = 16_384;

/** Everything that was said, in its order. */
export class ExchangeBook {
  #exchanges: Exchange[] = [];
  #count = 0;
  readonly #keys: readonly string[];

  /** @param keys of both directions, which are struck out wherever a text repeats one */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  get all(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Rises with every exchange. */
  get count(): number {
    return this.#count;
  }

  note({ token, ...noted }: Noted): Exchange {
    this.#count += 1;
    const secrets = token === null ? this.#keys : [...this.#keys, token];
    const exchange = {
      ...noted,
      number: this.#count,
      request: kept(noted.request, secrets),
      answer: kept(noted.answer, secrets),
      tookMs: Math.round(noted.tookMs),
    };
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > exchangesMax) this.#exchanges.shift();
    return exchange;
  }
}

function kept(text: string, secrets: readonly string[]): string {
  const struck = withoutSecrets(text, secrets);
  return struck.length > textCharsMax ? `${struck.slice(0, textCharsMax)}…` : struck;
}
