import { createHash } from 'node:crypto';
import { decideRequest, isInTimeWindow, type RequestCheck, replayMemoryMs } from '@voltdeck/tcec102/conversation';
import {
  openData,
  type PartnerKeys,
  type RequestEnvelope,
  type RetCode,
  readRequestEnvelope,
  replayKey,
  requestAt,
  retCodes,
  sealAnswer,
  verifyRequest,
} from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { readBody } from '@voltdeck/tcec102/messages/read-message';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { type Instant, instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { isWithin } from '../../limits/address-ranges.ts';
import { noteExchange } from '../note-exchange.ts';
import { readOwnCode } from '../own-code.ts';
import { findPartnerByCode, isDemandSide, isStationSide, type Partner } from '../partner.ts';
import { keysAt } from '../partner-keys.ts';
import { isTokenOf } from './give-token.ts';
import { heard, type PartnerRequest, type RetRefusal, served } from './interfaces.ts';

export type Knock = {
  interfaceName: InterfaceName;
  /** Null where it was larger than is read. */
  body: string | null;
  authorization: string | undefined;
  address: string;
};

/** What is known of a request so far; each check adds to it. */
type Known = {
  envelope: RequestEnvelope | null;
  partner: Partner | null;
  keys: PartnerKeys | null;
  /** Whether its signature is the partner's. */
  isProven: boolean;
  text: string;
  asked: unknown;
  /** What Msg says of the check that failed. */
  msg: string;
};

/** Answers a request of a partner, whatever it is: the envelope of the answer, and what happened in the log. */
export async function answerPartner(
  context: Context<'money'>,
  unproven: RateLimit,
  knock: Knock,
  at: Instant,
): Promise<string> {
  const beganAt = performance.now();
  const known: Known = {
    envelope: null,
    partner: null,
    keys: null,
    isProven: false,
    text: '',
    asked: undefined,
    msg: '',
  };
  const ownCode = (await readOwnCode(context.database.db)) ?? '';
  const { ret, msg, body } = await answer(context, knock, known, ownCode, at);
  const profile = known.partner?.profile ?? defaultProfile;
  const sealed = sealAnswer({ keys: known.keys, ret, msg, profile, operatorId: ownCode }, body);
  // A stranger's knocks are not written down: their number has no bound. Of those that name a partner and prove nothing,
  // a few a minute are, so that it can be found out why a partner's own are refused.
  if (known.partner === null) return sealed;
  if (!known.isProven && unproven.secondsToWait(String(known.partner.id), at) > 0) return sealed;
  await noteExchange(
    context.database.db,
    {
      partnerId: known.partner.id,
      direction: 'in',
      interfaceName: knock.interfaceName,
      request: known.text,
      answer: body ?? msg,
      httpStatus: 200,
      ret,
      tookMs: performance.now() - beganAt,
      address: knock.address,
      secrets: Object.values(known.keys ?? {}),
    },
    at,
  );
  return sealed;
}

type Answer = { ret: RetCode; msg: string; body: string | null };

async function answer(
  context: Context<'money'>,
  knock: Knock,
  known: Known,
  ownCode: string,
  at: Instant,
): Promise<Answer> {
  try {
    const refused = await examine(context, knock, known, at);
    if (refused !== null) return { ...refused, body: null };
    return await handle(context, knock, known, ownCode, at);
  } catch (error) {
    context.log.error({ err: error, interface: knock.interfaceName }, 'partner: a request failed');
    const ret = isDatabaseAway(error) ? retCodes.busy : retCodes.system;
    return { ret, msg: ret === retCodes.busy ? 'busy' : 'system error', body: null };
  }
}

/** The checks in the order of the standard; null for a request that passed them all. */
async function examine(context: Context<'money'>, knock: Knock, known: Known, at: Instant): Promise<RetRefusal | null> {
  const passed: { [Check in RequestCheck]?: boolean } = {};
  for (;;) {
    const decision = decideRequest(knock.interfaceName, passed);
    if (decision.kind === 'handle') return null;
    if (decision.kind === 'refuse') return { ret: decision.ret, msg: known.msg || decision.check };
    passed[decision.check] = await checks[decision.check](context, knock, known, at);
  }
}

type Check = (context: Context<'money'>, knock: Knock, known: Known, at: Instant) => Promise<boolean> | boolean;

const checks: Readonly<Record<RequestCheck, Check>> = {
  size: (_context, { body }) => body !== null,
  envelope(_context, { body }, known) {
    const read = readRequestEnvelope(body ?? '');
    if (read.ok) known.envelope = read.value;
    else known.msg = 'field' in read.error ? read.error.field : read.error.because;
    return read.ok;
  },
  async operator({ database }, { interfaceName, address }, known) {
    const partner = await findPartnerByCode(database.db, known.envelope?.operatorId.toUpperCase() ?? '');
    // One answer for all of them: nobody learns from it who our partners are.
    if (partner === null || !partner.isEnabled) return false;
    if (partner.allowedAddresses.length > 0 && !isWithin(address, partner.allowedAddresses)) return false;
    known.partner = partner;
    return answeringOf(partner, interfaceName) !== undefined;
  },
  async signature({ database, secrets }, _knock, known, at) {
    const { envelope, partner } = known;
    if (envelope === null || partner === null) return false;
    const sets = await keysAt({ db: database.db, secrets }, partner.id, 'inbound', at);
    known.keys = sets.find((keys) => verifyRequest(envelope, keys, partner.profile)) ?? null;
    known.isProven = known.keys !== null;
    if (known.isProven) return true;
    // The refusal is signed with the present keys, so that the caller can tell it from a stranger's.
    known.keys = sets[0] ?? null;
    return false;
  },
  token: ({ database }, { authorization }, { partner }, at) =>
    partner !== null && isTokenOf(database.db, partner.id, authorization, at),
  time: (_context, _knock, { envelope, partner }, at) =>
    envelope !== null && partner !== null && isInTimeWindow(requestAt(envelope), at, partner.profile),
  async replay({ database }, _knock, { envelope, partner }, at) {
    if (envelope === null || partner === null) return false;
    const key = createHash('sha256').update(replayKey(envelope)).digest();
    const { rows } = await sql`
      insert into partner_envelopes (partner_id, key, expires_at)
      values (${partner.id}, ${key}, to_timestamp(${instant(at + replayMemoryMs(partner.profile))} / 1000.0))
      on conflict do nothing returning 1`.execute(database.db);
    return rows.length === 1;
  },
  content(_context, _knock, known) {
    if (known.envelope === null || known.keys === null) return false;
    const opened = openData(known.envelope.data, known.keys);
    if (opened.ok) known.text = opened.value;
    else known.msg = opened.error.because;
    return opened.ok;
  },
  fields(_context, { interfaceName }, known) {
    const read = readBody(interfaceName, 'request', known.text, known.partner?.profile ?? defaultProfile);
    if (read.ok) known.asked = read.value;
    else known.msg = `${read.error.path} ${read.error.because}`.trim();
    return read.ok;
  },
};

async function handle<Name extends InterfaceName>(
  context: Context<'money'>,
  { interfaceName }: { interfaceName: Name },
  { partner, keys, asked }: Known,
  ownCode: string,
  at: Instant,
): Promise<Answer> {
  const answering = partner === null ? undefined : answeringOf(partner, interfaceName);
  if (answering === undefined || partner === null || keys === null) throw new Error('an unexamined request');
  const given = await answering({
    context,
    partner,
    keys,
    ownCode,
    asked: asked as Message<Name, 'request'>,
    at,
  });
  if (isRefusal(given)) return { ...given, body: null };
  return { ret: retCodes.success, msg: '', body: writeMessage(interfaceName, 'answer', given, partner.profile) };
}

/** What the platform of an authority may ask: it starts no charges. */
const supervised: ReadonlySet<InterfaceName> = new Set([
  'query_token',
  'query_stations_info',
  'query_station_status',
  'query_station_stats',
]);

/** How a partner in its role is answered; nothing where the interface is none of its own. */
function answeringOf<Name extends InterfaceName>(partner: Partner, interfaceName: Name) {
  const answering =
    (isDemandSide(partner) || (partner.role === 'supervision' && supervised.has(interfaceName))
      ? served[interfaceName]
      : undefined) ?? (isStationSide(partner) ? heard[interfaceName] : undefined);
  return answering as ((request: PartnerRequest<Name>) => Promise<Message<Name, 'answer'> | RetRefusal>) | undefined;
}

function isRefusal(given: object): given is RetRefusal {
  return 'ret' in given;
}
