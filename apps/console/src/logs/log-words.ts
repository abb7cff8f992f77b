import type { Protocol } from '@voltdeck/charging/states';
import type { InteractionLog } from '@voltdeck/contract/logs';
import { parseIso, secondMs, shanghaiDateTime } from '@voltdeck/units/instant';
import { knownPhrase, phrase } from '../phrases.ts';
import { countText, nothingText } from '../ui/figures.ts';
import type { Tone } from '../ui/state-colours.ts';
import { spacedHex } from './hex-rows.ts';
import { type MessageKind, messageKindOf, waitsForAnswer } from './message-kinds.ts';

/** Slower answers are highlighted: stations wait far longer, but something is wrong. */
export const slowMs = 3 * secondMs;
const previewCharsMax = 160;
const previewBytesMax = 40;
/** Header of a YKC frame before its body: start, length, sequence, flag, type. */
const ykcHeaderDigits = 12;

/** The text for a key from the server; null if this console does not know it. */
export function wordOf(key: string | null): string | null {
  return key === null ? null : (knownPhrase(key) ?? null);
}

const prefixes = { 'ocpp1.6': 'ocpp.message.', ykc: 'ykc.message.' } as const;

export function typeName({ protocol, word, action }: MessageKind): string {
  return wordOf(`${prefixes[protocol]}${word}`) ?? action;
}

/** A message's name in the console's language, or its name on the wire. */
export function messageName(log: Pick<InteractionLog, 'protocol' | 'action'>): string {
  const type = messageKindOf(log);
  if (type !== null) return typeName(type);
  return wordOf(`${prefixes[log.protocol]}${log.action}`) ?? log.action ?? phrase('logs.unreadable');
}

export type AnswerState = 'answered' | 'slow' | 'missing' | 'not-awaited';

export function answerStateOf(log: Pick<InteractionLog, 'protocol' | 'action' | 'answer' | 'latencyMs'>): AnswerState {
  if (log.answer === null) return waitsForAnswer(log) ? 'missing' : 'not-awaited';
  return log.latencyMs !== null && log.latencyMs >= slowMs ? 'slow' : 'answered';
}

export const answerTones: Readonly<Record<AnswerState, Tone>> = {
  answered: 'free',
  slow: 'occupied',
  missing: 'fault',
  'not-awaited': 'offline',
};

/** "12 ms", "3.2 s" */
export function latencyText(latencyMs: number | null): string {
  if (latencyMs === null) return nothingText;
  return latencyMs < secondMs ? `${countText(latencyMs)} ms` : `${(latencyMs / secondMs).toFixed(1)} s`;
}

/** Why an exchange failed: in words for our codes and those of OCPP-J, otherwise the code. */
export function faultText(code: string): string {
  return wordOf(`logs.fault.${code}`) ?? code;
}

/** "2026-11-22 13:16:39.123" in Asia/Shanghai. */
export function exactTime(iso: string): string {
  const at = parseIso(iso);
  return at === null ? iso : `${shanghaiDateTime(at)}.${String(at % secondMs).padStart(3, '0')}`;
}

const yearLength = 'YYYY-'.length;
const dateLength = 'YYYY-MM-DD '.length;
/** "11-22 13:16:39.123": no year, since logs are kept for a month. */
export const shortTime = (iso: string) => exactTime(iso).slice(yearLength);
/** "13:16:39.123" */
export const clockTime = (iso: string) => exactTime(iso).slice(dateLength);

/** A row's preview of its request: the first bytes of the body, or the payload without its envelope. */
export function previewOf({ protocol, request }: Pick<InteractionLog, 'protocol' | 'request'>): string {
  return previews[protocol](request);
}

const previews: Readonly<Record<Protocol, (request: string) => string>> = {
  'ocpp1.6'(request) {
    const payload = /^\[\s*2\s*,\s*"(?:[^"\\]|\\.)*"\s*,\s*"[^"]*"\s*,\s*([\s\S]*)\]\s*$/.exec(request)?.[1] ?? request;
    return payload.length > previewCharsMax ? `${payload.slice(0, previewCharsMax)} …` : payload;
  },
  ykc(request) {
    const body = request.slice(ykcHeaderDigits);
    return `${spacedHex(body.slice(0, previewBytesMax * 2))}${body.length > previewBytesMax * 2 ? ' …' : ''}`;
  },
};
