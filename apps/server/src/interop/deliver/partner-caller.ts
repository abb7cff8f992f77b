import { randomInt } from 'node:crypto';
import type { PartnerFault } from '@voltdeck/contract/partner-faults';
import {
  decideAfterAnswer,
  type SequenceMemory,
  sequenceAt,
  sequenceOf,
  tokenRefreshAt,
} from '@voltdeck/tcec102/conversation';
import {
  envelopeCharsMax,
  openData,
  type PartnerKeys,
  readAnswerEnvelope,
  retCodes,
  sealRequest,
  verifyAnswer,
} from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { type LeftOutItem, readBody } from '@voltdeck/tcec102/messages/read-message';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { withoutSecrets } from '@voltdeck/tcec102/secret-fields';
import { instant, secondMs } from '@voltdeck/units/instant';
import type { Context } from '../../context.ts';
import { noteExchange } from '../note-exchange.ts';
import { readOwnCode } from '../own-code.ts';
import type { Partner } from '../partner.ts';
import { keysAt } from '../partner-keys.ts';

/** How long an answer is waited for, and how much of one is read. */
export const callLimits = { timeoutMs: 30_000, bodyBytes: envelopeCharsMax } as const;

/** Why a call failed, for the person who reads the queue. `ret` is null where no answer came that could be verified. */
export type CallFault = {
  kind: 'failed';
  httpStatus: number | null;
  ret: number | null;
  /** The partner's Msg, or what was wrong on the way: "no_keys", "no_answer", "wrong_signature". */
  because: string;
  fault: PartnerFault;
  /** Whether the same may be sent again. */
  isRetried: boolean;
};

export type CallOutcome<Name extends InterfaceName> =
  | {
      kind: 'answered';
      answer: Message<Name, 'answer'>;
      /** Single stations and port states of the answer that could not be read. */
      leftOut: readonly LeftOutItem[];
      httpStatus: number;
    }
  | CallFault;

type Login = { token: string } | CallFault;

/** A partner that is being called: its keys, and the token once the first call needed one. */
export type PartnerLine = {
  readonly partner: Partner;
  /** Null where it issued none. */
  readonly keys: PartnerKeys | null;
  readonly ownCode: string;
  login: Promise<Login> | null;
};

type Bare = { httpStatus: number | null; ret: number | null; because: string } & (
  | { text: string; fault: null }
  | { text: null; fault: PartnerFault }
);

type Posted = { httpStatus: number | null; because: string } & (
  | { text: string; fault: null }
  | { text: null; fault: PartnerFault }
);

/** Calls partners: seals, sends, verifies, opens. A token is kept until shortly before it expires, and renewed once. */
export class PartnerCaller {
  readonly #context: Context;
  /** The last Seq of this process: it begins anew in every second. */
  #sequence: SequenceMemory | null = null;
  /** Where each second begins, so that callers of several processes do not meet. */
  readonly #first: number;
  readonly #timeoutMs: number;

  /** @param options.timeoutMs how long an answer is waited for */
  constructor(
    context: Context,
    first = randomInt(1, firstSeqMax),
    { timeoutMs = callLimits.timeoutMs }: { timeoutMs?: number } = {},
  ) {
    this.#context = context;
    this.#first = first;
    this.#timeoutMs = timeoutMs;
  }

  /** What calls of the next moments need, read once: a partner may be told a thousand things in a second. */
  async open(partner: Partner): Promise<PartnerLine> {
    const { database, secrets, now } = this.#context;
    const [keys] = await keysAt({ db: database.db, secrets }, partner.id, 'outbound', now());
    return { partner, keys: keys ?? null, ownCode: (await readOwnCode(database.db)) ?? '', login: null };
  }

  async call<Name extends InterfaceName>(
    line: PartnerLine,
    interfaceName: Name,
    request: Message<Name, 'request'>,
  ): Promise<CallOutcome<Name>> {
    const { partner, keys } = line;
    if (line.ownCode === '') return uncalled('no_own_code');
    if (partner.baseUrl === '') return uncalled('no_address');
    if (keys === null) return uncalled('no_keys');
    const body = writeMessage(interfaceName, 'request', request, partner.profile);
    let used: PartnerLine['login'] = null;
    for (const isTokenNew of [false, true]) {
      // Calls of one line that need a token at the same time wait for one, and renew it once.
      if (line.login === null || line.login === used) {
        line.login = this.#tokenFor(line, keys, { isNew: isTokenNew });
      }
      used = line.login;
      const token = interfaceName === 'query_token' ? { token: null } : await line.login;
      if ('kind' in token) {
        line.login = null;
        return token;
      }
      const sent = await this.#send(line, keys, interfaceName, body, token.token);
      const after = decideAfterAnswer(interfaceName, { ret: sent.ret, isTokenNew });
      if (after === 'refresh-token') continue;
      if (sent.text === null) return faultOf(sent, { isRetried: after === 'retry' });
      const leftOut: LeftOutItem[] = [];
      const read = readBody(interfaceName, 'answer', sent.text, partner.profile, leftOut);
      if (!read.ok) {
        const because = `${read.error.path} ${read.error.because}`.trim();
        return faultOf({ ...sent, because, fault: 'not_readable' }, { isRetried: true });
      }
      return { kind: 'answered', answer: read.value, leftOut, httpStatus: sent.httpStatus ?? 0 };
    }
    throw new Error('a renewed token was renewed again');
  }

  async #tokenFor(line: PartnerLine, keys: PartnerKeys, { isNew }: { isNew: boolean }): Promise<Login> {
    const { partner, ownCode } = line;
    const { database, secrets, now } = this.#context;
    const at = now();
    if (!isNew) {
      const kept = await database.db
        .selectFrom('partner_logins')
        .select('sealed')
        .where('partner_id', '=', partner.id)
        .where('refresh_at', '>', at)
        .executeTakeFirst();
      const opened = kept === undefined ? null : secrets.open(sealName, kept.sealed);
      if (opened?.ok === true) return { token: opened.value };
    }
    const asked = { OperatorID: ownCode, OperatorSecret: keys.operatorSecret };
    const sent = await this.#send(
      line,
      keys,
      'query_token',
      writeMessage('query_token', 'request', asked, partner.profile),
      null,
    );
    if (sent.text === null) return faultOf(sent, { isRetried: true });
    const read = readBody('query_token', 'answer', sent.text, partner.profile);
    if (!read.ok || read.value.SuccStat !== 0 || read.value.AccessToken === undefined) {
      return faultOf({ ...sent, because: 'token_refused', fault: 'token_not_given' }, { isRetried: true });
    }
    const { AccessToken: token, TokenAvailableTime: seconds = 0 } = read.value;
    const login = {
      sealed: secrets.seal(sealName, token),
      refresh_at: tokenRefreshAt(at, seconds * secondMs),
      expires_at: instant(at + seconds * secondMs),
    };
    await database.db
      .insertInto('partner_logins')
      .values({ partner_id: partner.id, ...login })
      .onConflict((conflict) => conflict.column('partner_id').doUpdateSet(login))
      .execute();
    return { token };
  }

  async #send(
    { partner, ownCode }: PartnerLine,
    keys: PartnerKeys,
    interfaceName: InterfaceName,
    body: string,
    token: string | null,
  ): Promise<Bare> {
    const { database, now } = this.#context;
    const beganAt = performance.now();
    const at = now();
    const sequence = sequenceOf(this.#sequence, at, this.#first);
    this.#sequence = sequence;
    const sealed = sealRequest({ operatorId: ownCode, keys, at: sequenceAt(sequence), seq: sequence.seq }, body);
    const got = await this.#post(urlOf(partner, interfaceName), sealed, token);
    const secrets = [...Object.values(keys), ...(token === null ? [] : [token])];
    const told = got.text === null ? { ...got, ret: null } : opened(got.text, keys, partner, got.httpStatus);
    const bare = { ...told, because: withoutSecrets(told.because, secrets) };
    await noteExchange(
      database.db,
      {
        partnerId: partner.id,
        direction: 'out',
        interfaceName,
        request: body,
        answer: bare.text ?? bare.because,
        httpStatus: bare.httpStatus,
        ret: bare.ret,
        tookMs: performance.now() - beganAt,
        address: '',
        secrets,
      },
      at,
    );
    return bare;
  }

  async #post(url: string, body: string, token: string | null): Promise<Posted> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json;charset=utf-8',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body,
        // A redirect could lead a signed envelope anywhere.
        redirect: 'error',
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      const text = await readBounded(response);
      const httpStatus = response.status;
      if (text === null) return { httpStatus, because: 'too_long', text: null, fault: 'too_long' };
      if (!response.ok) return { httpStatus, because: `HTTP ${httpStatus}`, text: null, fault: 'http_status' };
      return { httpStatus, because: '', text, fault: null };
    } catch (error) {
      // Whatever happened on the way, nobody knows whether the partner got it.
      const fault = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no_answer';
      return { httpStatus: null, because: fault, text: null, fault };
    }
  }
}

/** Leaves half of a second's numbers to the busiest caller. */
const firstSeqMax = 5_000;

/** Bound to what is sealed: a token of a partner. */
const sealName = 'partner-token';

/** What has to be entered here first. */
function uncalled(fault: PartnerFault): CallFault {
  return { kind: 'failed', httpStatus: null, ret: null, because: fault, fault, isRetried: true };
}

function faultOf(
  { httpStatus, ret, because, fault }: Pick<CallFault, 'httpStatus' | 'ret' | 'because' | 'fault'>,
  { isRetried }: { isRetried: boolean },
): CallFault {
  return { kind: 'failed', httpStatus, ret, because, fault, isRetried };
}

function urlOf({ baseUrl, interfaceUrls }: Partner, interfaceName: InterfaceName): string {
  return interfaceUrls[interfaceName] ?? `${baseUrl.replace(/\/+$/, '')}/${interfaceName}`;
}

/** An answer that cannot be verified counts as none. */
function opened(text: string, keys: PartnerKeys, { profile }: Partner, httpStatus: number | null): Bare {
  const none = (because: string, fault: PartnerFault): Bare => ({ httpStatus, ret: null, because, text: null, fault });
  const envelope = readAnswerEnvelope(text);
  if (!envelope.ok) return none(`answer ${envelope.error.because}`, 'no_envelope');
  const { ret, msg, data, sig } = envelope.value;
  // Who does not know us cannot sign its refusal.
  if (sig !== '' && !verifyAnswer(envelope.value, keys, profile)) return none('wrong_signature', 'wrong_signature');
  if (ret !== retCodes.success) return { httpStatus, ret, because: msg, text: null, fault: refusalOf(ret) };
  const body = openData(data, keys);
  if (!body.ok) return none(`answer ${body.error.because}`, 'not_decrypted');
  return { httpStatus, ret, because: '', text: body.value, fault: null };
}

function refusalOf(ret: number): PartnerFault {
  switch (ret) {
    case retCodes.busy:
      return 'refused_busy';
    case retCodes.signature:
      return 'refused_signature';
    case retCodes.token:
      return 'refused_token';
    case retCodes.parameters:
      return 'refused_envelope';
    case retCodes.business:
      return 'refused_content';
    default:
      return 'refused_fault';
  }
}

async function readBounded(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > callLimits.bodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
