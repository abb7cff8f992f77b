/**
 * T/CEC 102.4: a business text <-> the signed envelope around its ciphertext. Encrypt first, then sign; verify first,
 * then decrypt. Whatever a partner sends becomes an envelope or a typed fault, never a throw.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { isJsonObject, type Json, JsonNumber, type JsonObject, jsonCharsMax, readJson } from './json-text.ts';
import type { PartnerProfile } from './profile.ts';
import { readTimeStamp, writeTimeStamp } from './shanghai-text.ts';

/** The four secrets that whoever serves an interface issues to whoever calls it; an answer has those of its request. */
export type PartnerKeys = { operatorSecret: string; sigSecret: string; dataSecret: string; dataSecretIv: string };

export type KeyFault = { key: keyof PartnerKeys; because: 'wrong-length' | 'not-printable' };

/** Of AES-128, whose key and initial vector are the texts' own bytes. */
export const dataSecretChars = 16;
export const secretCharsMax = 64;

/** Why these keys cannot be used. Only printable ASCII without spaces is a key that survives being sent to a person. */
export function keyFaults(keys: PartnerKeys): readonly KeyFault[] {
  return (Object.keys(keyLengths) as (keyof PartnerKeys)[]).flatMap((key): KeyFault[] => {
    const { min, max } = keyLengths[key];
    if (!/^[!-~]*$/.test(keys[key])) return [{ key, because: 'not-printable' }];
    return keys[key].length < min || keys[key].length > max ? [{ key, because: 'wrong-length' }] : [];
  });
}

const keyLengths: Readonly<Record<keyof PartnerKeys, { min: number; max: number }>> = {
  operatorSecret: { min: 1, max: secretCharsMax },
  sigSecret: { min: 1, max: secretCharsMax },
  dataSecret: { min: dataSecretChars, max: dataSecretChars },
  dataSecretIv: { min: dataSecretChars, max: dataSecretChars },
};

/** Ret: what became of a request. Refusals of the business are a SuccStat or FailReason within Data, with Ret 0. */
export const retCodes = {
  success: 0,
  busy: -1,
  signature: 4001,
  token: 4002,
  parameters: 4003,
  business: 4004,
  system: 500,
} as const;
export type RetCode = (typeof retCodes)[keyof typeof retCodes];

export type RequestEnvelope = { operatorId: string; data: string; timeStamp: string; seq: string; sig: string };

/** `data` is empty where a partner left it out; so is `sig` of a refusal that was made before the keys were known. */
export type AnswerEnvelope = { ret: number; msg: string; data: string; sig: string; operatorId: string | null };

export type EnvelopeField = 'OperatorID' | 'Data' | 'TimeStamp' | 'Seq' | 'Sig' | 'Ret' | 'Msg';

export type EnvelopeFault =
  | { because: 'too-long' }
  /** Including what nests too deeply and what says one thing twice. */
  | { because: 'not-json' }
  | { because: 'not-an-object' }
  | { because: 'field-missing'; field: EnvelopeField }
  | { because: 'field-wrong-type'; field: EnvelopeField }
  | { because: 'field-wrong-form'; field: EnvelopeField }
  | { because: 'not-base64' }
  | { because: 'not-decryptable' }
  | { because: 'not-utf8' };

/** What a request with this fault is answered. */
export const retOfFault: Readonly<Record<EnvelopeFault['because'], RetCode>> = {
  'too-long': retCodes.parameters,
  'not-json': retCodes.parameters,
  'not-an-object': retCodes.parameters,
  'field-missing': retCodes.parameters,
  'field-wrong-type': retCodes.parameters,
  'field-wrong-form': retCodes.parameters,
  'not-base64': retCodes.parameters,
  'not-decryptable': retCodes.parameters,
  'not-utf8': retCodes.parameters,
};

/** Longer envelopes are refused unread: use it as the limit of the request's body as well. */
export const envelopeCharsMax = jsonCharsMax;
/** Seq counts the requests of one second. */
export const seqMax = 9_999;
export const msgCharsMax = 512;

/**
 * @param from.seq 1 to 9999, from 1 in every second
 * @param body the business JSON exactly as it is to be decrypted
 * @returns the JSON text of the envelope
 * @throws RangeError for another `seq`
 */
export function sealRequest(
  { operatorId, keys, at, seq }: { operatorId: string; keys: PartnerKeys; at: Instant; seq: number },
  body: string,
): string {
  if (!Number.isInteger(seq) || seq < 1 || seq > seqMax) throw new RangeError(`Seq is 1 to ${seqMax}, got ${seq}`);
  const data = encrypted(body, keys);
  const timeStamp = writeTimeStamp(at);
  const written = String(seq).padStart(4, '0');
  return signedRequest({ operatorId, data, timeStamp, seq: written }, keys);
}

/**
 * A signed envelope around any Data, whether or not it is ciphertext: partners are tested with what nobody should send.
 * @returns the JSON text of the envelope
 */
export function signedRequest(
  { operatorId, data, timeStamp, seq }: Omit<RequestEnvelope, 'sig'>,
  keys: PartnerKeys,
): string {
  const sig = signature(`${operatorId}${data}${timeStamp}${seq}`, keys);
  return JSON.stringify({ OperatorID: operatorId, Data: data, TimeStamp: timeStamp, Seq: seq, Sig: sig });
}

/**
 * @param from.keys null where the caller is not known, so that nobody could verify a signature
 * @param from.operatorId ours
 * @param body null where there is nothing to tell but `ret`
 */
export function sealAnswer(
  from: { keys: PartnerKeys | null; ret: RetCode; msg: string; profile: PartnerProfile; operatorId: string },
  body: string | null,
): string {
  const { keys, ret, profile, operatorId } = from;
  const msg = from.msg.slice(0, msgCharsMax).toWellFormed();
  const data = body === null || keys === null ? '' : encrypted(body, keys);
  return JSON.stringify({
    ...(profile.answersWithOperatorId ? { OperatorID: operatorId } : {}),
    Ret: ret,
    Msg: msg,
    ...(data === '' && profile.errorData === 'absent' ? {} : { Data: data }),
    Sig: keys === null ? '' : signature(`${ret}${msg}${data}`, keys),
  });
}

/** An envelope with its fields and some of a partner’s own. */
const envelopeValuesMax = 64;

export function readRequestEnvelope(text: string): Result<RequestEnvelope, EnvelopeFault> {
  const object = readObject(text);
  if (!object.ok) return object;
  for (const field of requestFields) {
    const fault = textFault(object.value[field], field);
    if (fault !== null) return failed(fault);
  }
  const { OperatorID, Data, TimeStamp, Seq, Sig } = object.value as Record<RequestField, string>;
  return ok({ operatorId: OperatorID, data: Data, timeStamp: TimeStamp, seq: Seq, sig: Sig });
}

const requestFields = ['OperatorID', 'Data', 'TimeStamp', 'Seq', 'Sig'] as const;
type RequestField = (typeof requestFields)[number];

const forms: Readonly<Record<RequestField, RegExp>> = {
  OperatorID: /^[0-9A-Za-z]{9}$/,
  // Its own rules are those of `openData`, which the signature comes before.
  Data: /^/,
  TimeStamp: /^\d{14}$/,
  Seq: /^\d{4}$/,
  Sig: /^[0-9A-Fa-f]{32}$/,
};

function textFault(value: Json | undefined, field: RequestField): EnvelopeFault | null {
  if (value === undefined || value === null || value === '') return { because: 'field-missing', field };
  if (typeof value !== 'string') return { because: 'field-wrong-type', field };
  return forms[field].test(value) ? null : { because: 'field-wrong-form', field };
}

function readObject(text: string): Result<JsonObject, EnvelopeFault> {
  // Nobody has proven themselves yet, so no more is read than an envelope has.
  const json = readJson(text, envelopeValuesMax);
  if (!json.ok) return failed({ because: json.error.because === 'too-long' ? 'too-long' : 'not-json' });
  return isJsonObject(json.value) ? ok(json.value) : failed({ because: 'not-an-object' });
}

/** Msg, Data and – of a refusal – Sig may be missing or null, as partners leave them out. Ret is never a text. */
export function readAnswerEnvelope(text: string): Result<AnswerEnvelope, EnvelopeFault> {
  const object = readObject(text);
  if (!object.ok) return object;
  const { Ret, Msg = null, Data = null, Sig = null, OperatorID } = object.value;
  if (Ret === undefined || Ret === null) return failed({ because: 'field-missing', field: 'Ret' });
  if (!(Ret instanceof JsonNumber)) return failed({ because: 'field-wrong-type', field: 'Ret' });
  if (!/^(?:0|-?[1-9]\d{0,8})$/.test(Ret.text)) return failed({ because: 'field-wrong-form', field: 'Ret' });
  const ret = Number(Ret.text);
  if (Msg !== null && typeof Msg !== 'string') return failed({ because: 'field-wrong-type', field: 'Msg' });
  if (Data !== null && typeof Data !== 'string') return failed({ because: 'field-wrong-type', field: 'Data' });
  const isUnsigned = ret !== retCodes.success && (Sig === null || Sig === '');
  const fault = isUnsigned ? null : textFault(Sig, 'Sig');
  if (fault !== null) return failed(fault);
  const operatorId = typeof OperatorID === 'string' ? OperatorID : null;
  return ok({ ret, msg: Msg ?? '', data: Data ?? '', sig: typeof Sig === 'string' ? Sig : '', operatorId });
}

/** In constant time. Data that arrived in lines was signed as it came or before it was broken; both are tried. */
export function verifyRequest(envelope: RequestEnvelope, keys: PartnerKeys, profile: PartnerProfile): boolean {
  const { operatorId, data, timeStamp, seq, sig } = envelope;
  return formsOfData(data).some((form) => isSigned(`${operatorId}${form}${timeStamp}${seq}`, sig, keys, profile));
}

/** The same for an answer. */
export function verifyAnswer(envelope: AnswerEnvelope, keys: PartnerKeys, profile: PartnerProfile): boolean {
  const { ret, msg, data, sig } = envelope;
  return formsOfData(data).some((form) => isSigned(`${ret}${msg}${form}`, sig, keys, profile));
}

function formsOfData(data: string): readonly string[] {
  const oneLine = withoutLineBreaks(data);
  return oneLine === data ? [data] : [data, oneLine];
}

function withoutLineBreaks(data: string): string {
  return data.includes('\n') || data.includes('\r') ? data.replaceAll(/[\r\n]/g, '') : data;
}

function isSigned(message: string, sig: string, keys: PartnerKeys, profile: PartnerProfile): boolean {
  const given = profile.lowerCaseSig ? sig.toUpperCase() : sig;
  const wanted = signature(message, keys);
  const [givenBytes, wantedBytes] = [utf8.encode(given), utf8.encode(wanted)];
  return givenBytes.length === wantedBytes.length && timingSafeEqual(givenBytes, wantedBytes);
}

/** UPPER(hex(HMAC-MD5)), section 2.5: the algorithm is the standard's, not ours. */
function signature(message: string, { sigSecret }: PartnerKeys): string {
  return createHmac('md5', sigSecret).update(message, 'utf8').digest('hex').toUpperCase();
}

/**
 * What a verified request is remembered by, so that it is not carried out again. Not its text: that may change – lines
 * in Data, the case of Sig – without the signature noticing.
 */
export function replayKey({ operatorId, sig }: RequestEnvelope): string {
  return `${operatorId}${sig.toUpperCase()}`;
}

/** When the caller says that it sent this; null for what no clock shows. */
export function requestAt({ timeStamp }: Pick<RequestEnvelope, 'timeStamp'>): Instant | null {
  return readTimeStamp(timeStamp);
}

const cipherName = 'aes-128-cbc';

function encrypted(body: string, { dataSecret, dataSecretIv }: PartnerKeys): string {
  const cipher = createCipheriv(cipherName, dataSecret, dataSecretIv);
  return cipher.update(body, 'utf8', 'base64') + cipher.final('base64');
}

/**
 * The business text of a verified envelope.
 * @param keys without faults (`keyFaults`)
 */
export function openData(data: string, keys: PartnerKeys): Result<string, EnvelopeFault> {
  const oneLine = withoutLineBreaks(data);
  if (oneLine.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(oneLine)) return failed({ because: 'not-base64' });
  const text = decrypted(oneLine, keys);
  if (text === null) return failed({ because: 'not-decryptable' });
  // Only bytes that are not UTF-8, and this character itself, become U+FFFD.
  if (text.includes('\ufffd') && !isUtf8(oneLine, keys)) return failed({ because: 'not-utf8' });
  return ok(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** Null for ciphertext that is no whole number of blocks, or whose padding another key made. */
function decrypted(base64: string, { dataSecret, dataSecretIv }: PartnerKeys): string | null {
  const decipher = createDecipheriv(cipherName, dataSecret, dataSecretIv);
  try {
    return decipher.update(base64, 'base64', 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** @param base64 what is known to be decryptable */
function isUtf8(base64: string, { dataSecret, dataSecretIv }: PartnerKeys): boolean {
  const decipher = createDecipheriv(cipherName, dataSecret, dataSecretIv);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    decoder.decode(decipher.update(base64, 'base64'), { stream: true });
    decoder.decode(decipher.final());
    return true;
  } catch {
    return false;
  }
}

const utf8 = new TextEncoder();
