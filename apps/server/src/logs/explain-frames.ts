import type { Protocol } from '@voltdeck/charging/states';
import type { FrameExplanation, FrameSpan, InteractionLog } from '@voltdeck/contract/logs';
import { explain as explainOcpp, type Explanation as OcppExplanation } from '@voltdeck/ocpp16/explain';
import { isFromStation } from '@voltdeck/ocpp16/messages/from-station';
import { isToStation } from '@voltdeck/ocpp16/messages/to-station';
import { explain as explainYkc, type Explanation as YkcExplanation } from '@voltdeck/ykc/explain';
import { fromHex } from '@voltdeck/ykc/hex';

type Direction = InteractionLog['direction'];

/** The request and, where there is one, the answer of an exchange, explained. */
export function explainExchange(log: InteractionLog): FrameExplanation[] {
  const explain = explainText[log.protocol];
  const back: Direction = log.direction === 'from-station' ? 'to-station' : 'from-station';
  return [
    ...explain(log.request, log.direction, null),
    ...(log.answer === null ? [] : explain(log.answer, back, log.action)),
  ];
}

/** One side of a stored exchange. `askedFor` is the action that an answer belongs to. */
type ExplainText = (text: string, direction: Direction, askedFor: string | null) => FrameExplanation[];

const explainText: Readonly<Record<Protocol, ExplainText>> = {
  'ocpp1.6': (text, direction, askedFor) => [ocppExplanation(explainOcpp(text, askedFor), direction)],
  ykc(text, direction) {
    const bytes = fromHex(text);
    if (bytes === null) return [unreadable('ykc', text, direction)];
    return explainYkc(bytes).map((explained) => ykcExplanation(explained, direction));
  },
};

/** Consecutive messages; a reply takes its name from the call that it answers. */
export function explainMessages(texts: readonly string[]): FrameExplanation[] {
  const calls = new Map<string, { action: string; direction: Direction | null }>();
  return texts.map((text) => {
    const explained = explainOcpp(text);
    const { kind, action, messageId } = explained;
    if (kind === 'call' && action !== null) {
      const direction = directionOf(action);
      if (messageId !== null) calls.set(messageId, { action, direction });
      return ocppExplanation(explained, direction);
    }
    const call = messageId === null ? undefined : calls.get(messageId);
    if (call === undefined) return ocppExplanation(explained, null);
    const back = call.direction === null ? null : call.direction === 'from-station' ? 'to-station' : 'from-station';
    return ocppExplanation(explainOcpp(text, call.action), back);
  });
}

/** Null for actions of both sides, and for unknown ones. */
function directionOf(action: string): Direction | null {
  if (isFromStation(action) === isToStation(action)) return null;
  return isFromStation(action) ? 'from-station' : 'to-station';
}

export function explainBytes(bytes: Uint8Array): FrameExplanation[] {
  return explainYkc(bytes).map((explained) => ykcExplanation(explained, null));
}

const noChecksum: FrameExplanation['checksum'] = { verdict: 'none', found: null, expected: null };

function ocppExplanation(explained: OcppExplanation, direction: Direction | null): FrameExplanation {
  const { action, name, messageId, fault, text, spans } = explained;
  return {
    protocol: 'ocpp1.6',
    direction,
    action,
    name,
    messageId,
    checksum: noChecksum,
    fault,
    text,
    spans: spans.map(
      ({ meaning, ...span }): FrameSpan => ({
        ...span,
        unit: null,
        meanings: meaning === null ? [] : [meaning],
      }),
    ),
  };
}

/** `direction` is known from elsewhere; the frame's type implies it as well. */
function ykcExplanation(explained: YkcExplanation, direction: Direction | null): FrameExplanation {
  const { name, type, sender, sequence, checksum, fault, text, spans } = explained;
  const bySender = sender === null ? null : sender === 'pile' ? 'from-station' : 'to-station';
  return {
    protocol: 'ykc',
    direction: direction ?? bySender,
    action: type === null ? null : `0x${type.toString(16).toUpperCase().padStart(2, '0')}`,
    name,
    messageId: sequence,
    checksum,
    fault,
    text,
    spans: spans.map(({ meaning, items, ...span }): FrameSpan => {
      const meanings = [meaning, ...items.filter(isFlag).map((item) => item.name)].filter((key) => key !== null);
      return { ...span, meanings, ...(items.length === 0 ? {} : { items: [...items] }) };
    }),
  };
}

/** A set bit whose name alone says what it means. */
function isFlag({ isSet, meaning, unit }: YkcExplanation['spans'][number]['items'][number]): boolean {
  return isSet && meaning === null && unit === null;
}

/** A row whose text does not fit its protocol, shown unchanged. */
function unreadable(protocol: Protocol, text: string, direction: Direction): FrameExplanation {
  const whole: FrameSpan = {
    offset: 0,
    length: text.length,
    part: 'surplus',
    name: 'ykc.part.noFrame',
    path: null,
    raw: text,
    value: null,
    unit: null,
    meanings: [],
  };
  return {
    protocol,
    direction,
    action: null,
    name: null,
    messageId: null,
    checksum: noChecksum,
    fault: 'ykc.fault.not-a-frame',
    text,
    spans: text === '' ? [] : [whole],
  };
}
