import {
  type SequenceMemory,
  sequenceAt,
  sequenceOf,
  startChargeSeq,
  tokenRefreshAt,
} from '@voltdeck/tcec102/conversation';
import {
  openData,
  type PartnerKeys,
  readAnswerEnvelope,
  retCodes,
  sealRequest,
  verifyAnswer,
} from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { readBody } from '@voltdeck/tcec102/messages/read-message';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import type { BenchSettings } from './bench-settings.ts';
import type { Exchange, ExchangeBook } from './exchanges.ts';
import { type Manner, post } from './post.ts';

/** What differs from a call as it should be. */
export type CallDifferences = {
  /** Null sends none; without it, the bench's own token is sent. */
  token?: string | null;
  keys?: PartnerKeys;
  operatorId?: string;
  at?: Instant;
  /** The business text instead of the message's. */
  body?: string;
  /** Changes the envelope after it was sealed. */
  reseal?: (envelope: string) => string;
  manner?: Manner;
  /** What the exchange is called in the report. */
  remark?: string;
};

/** `ret` is null where no answer came that could be verified; `because` then says why. */
export type Reply<Name extends InterfaceName> = {
  ret: number | null;
  httpStatus: number | null;
  because: string;
  answer: Message<Name, 'answer'> | null;
  exchange: Exchange;
};

/** Calls the tested server. */
export class BenchCaller {
  readonly #settings: BenchSettings;
  readonly #book: ExchangeBook;
  readonly #now: () => Instant;
  #sequence: SequenceMemory | null = null;
  #login: { token: string; refreshAt: Instant } | null = null;

  constructor(settings: BenchSettings, book: ExchangeBook, now: () => Instant) {
    this.#settings = settings;
    this.#book = book;
    this.#now = now;
  }

  /** A token of the tested server, kept until shortly before it ends; null where it gives none. */
  async token(): Promise<string | null> {
    if (this.#login !== null && this.#now() < this.#login.refreshAt) return this.#login.token;
    const { operatorId, theirKeys } = this.#settings;
    const asked = { OperatorID: operatorId, OperatorSecret: theirKeys.operatorSecret };
    const { answer } = await this.call('query_token', asked, { token: null });
    if (answer?.SuccStat !== 0 || answer.AccessToken === undefined) return null;
    const lifetimeMs = (answer.TokenAvailableTime ?? 0) * secondMs;
    this.#login = { token: answer.AccessToken, refreshAt: tokenRefreshAt(this.#now(), lifetimeMs) };
    return answer.AccessToken;
  }

  forgetToken(): void {
    this.#login = null;
  }

  /** The envelope of a message as it should be. */
  seal(body: string, { keys, operatorId, at }: CallDifferences = {}): string {
    const sequence = sequenceOf(this.#sequence, this.#now());
    this.#sequence = sequence;
    const from = {
      operatorId: operatorId ?? this.#settings.operatorId,
      keys: keys ?? this.#settings.theirKeys,
      at: at ?? sequenceAt(sequence),
      seq: sequence.seq,
    };
    return sealRequest(from, body);
  }

  async call<Name extends InterfaceName>(
    name: Name,
    request: Message<Name, 'request'>,
    differences: CallDifferences = {},
  ): Promise<Reply<Name>> {
    const { token: given, manner = 'usual', reseal = (envelope) => envelope } = differences;
    const token = given === undefined && name !== 'query_token' ? await this.token() : (given ?? null);
    const body = differences.body ?? writeMessage(name, 'request', request, this.#settings.profile);
    const reply = await this.#send(name, reseal(this.seal(body, differences)), { body, token, manner, differences });
    // As the standard says: a token that is no longer known is refreshed once.
    if (reply.ret !== retCodes.token || given !== undefined || name === 'query_token') return reply;
    this.forgetToken();
    const renewed = await this.token();
    return this.#send(name, reseal(this.seal(body, differences)), { body, token: renewed, manner, differences });
  }

  async #send<Name extends InterfaceName>(
    name: Name,
    envelope: string,
    sent: { body: string; token: string | null; manner: Manner; differences: CallDifferences },
  ): Promise<Reply<Name>> {
    const { url, theirKeys, profile } = this.#settings;
    const at = this.#now();
    const beganAt = performance.now();
    const posted = await post(`${url}/${name}`, envelope, sent.token, sent.manner);
    const opened =
      posted.kind === 'none'
        ? { ret: null, text: '', because: posted.because }
        : openAnswer(posted.text, posted.httpStatus, theirKeys, profile);
    const read =
      opened.ret === retCodes.success && opened.because === '' ? readBody(name, 'answer', opened.text, profile) : null;
    const because = read?.ok === false ? `answer ${`${read.error.path} ${read.error.because}`.trim()}` : opened.because;
    const httpStatus = posted.kind === 'none' ? null : posted.httpStatus;
    const exchange = this.#book.note({
      at,
      direction: 'sent',
      interfaceName: name,
      request: sent.body,
      answer: opened.text,
      ret: opened.ret,
      httpStatus,
      remark: [sent.differences.remark ?? '', because].filter((part) => part !== '').join(': '),
      tookMs: performance.now() - beganAt,
      token: sent.token,
    });
    return { ret: opened.ret, httpStatus, because, answer: read?.ok === true ? read.value : null, exchange };
  }
}

type Opened = { ret: number | null; text: string; because: string };

/** A refusal may be unsigned, where the caller is not known; everything else is signed, or it is no answer. */
function openAnswer(text: string, httpStatus: number, keys: PartnerKeys, profile: BenchSettings['profile']): Opened {
  if (httpStatus !== 200) return { ret: null, text: '', because: `HTTP ${httpStatus}` };
  const read = readAnswerEnvelope(text);
  if (!read.ok) return { ret: null, text: '', because: `envelope ${read.error.because}` };
  const { ret, msg, data, sig } = read.value;
  if (sig !== '' && !verifyAnswer(read.value, keys, profile)) {
    return { ret: null, text: msg, because: `wrong signature of Ret ${ret}` };
  }
  if (ret !== retCodes.success) return { ret, text: msg, because: '' };
  const opened = openData(data, keys);
  return opened.ok
    ? { ret, text: opened.value, because: '' }
    : { ret, text: '', because: `Data ${opened.error.because}` };
}

/** A number of the bench for a charge or a question, different for each. */
export function sequenceNumbers(operatorId: string, now: () => Instant): () => string {
  let count = 0;
  let last = 0;
  return () => {
    count = (count + 1) % 10_000;
    last = Math.max(last, now());
    return startChargeSeq(operatorId, instant(last), count);
  };
}
