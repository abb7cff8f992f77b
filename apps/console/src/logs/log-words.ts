import type { Protocol } from '@voltdeck/charging/states';
import type { InteractionLog } from '@voltdeck/contract/logs';
import { parseIso, secondMs, shanghaiDateTime } from '@voltdeck/units/instant';
import { type PhraseKey, phrase } from '../phrases.ts';
import { countText, nothingText } from '../ui/figures.ts';
import type { Tone } from '../ui/state-colours.ts';
import { spacedHex } from './hex-rows.ts';
import { type MessageKind, messageKindOf, waitsForAnswer } from './message-kinds.ts';

/** Slower answers are highlighted: stations wait far longer, but something is not well. */
export const slowMs = 3 * secondMs;
const previewCharsMax = 160;
const previewBytesMax = 40;
/** Header of a YKC frame before its body: start, length, sequence, flag, type. */
const ykcHeaderDigits = 12;

/** The text of a key that the server named; null for one that this console does not know. */
export function wordOf(key: string | null): string | null {
  if (key === null) return null;
  const text = phrase(key as PhraseKey);
  return text === key ? null : text;
}

const prefixes = { 'ocpp1.6': 'ocpp.message.', ykc: 'ykc.message.' } as const;

export function typeName({ protocol, word, action }: MessageKind): string {
  return wordOf(`${prefixes[protocol]}${word}`) ?? action;
}

/** What a message is called in the console's language; its name on the wire where it has no other. */
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

/** Why an exchange went wrong: in words where the code is one of ours or of OCPP-J's table, as it came otherwise. */
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
/** "11-22 13:16:39.123": logs are kept for a month. */
export const shortTime = (iso: string) => exactTime(iso).slice(yearLength);
/** "13:16:39.123" */
export const clockTime = (iso: string) => exactTime(iso).slice(dateLength);

/** What a row shows of its request: the body's first bytes, or the payload without the envelope around it. */
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
