/** Explains a frame's text for a person: every character belongs to exactly one span, whatever the text is. */
import { frameDepthMax, readFrame, withBlankPadding } from './frame.ts';
import { JsonReader, type Place } from './json-reader.ts';
import { errorKey, faultKey, fieldKey, meaningKey, messageKey, partKey, typeKey } from './phrase-keys.ts';

/** Values beyond this number share one last span. */
export const explainedValuesMax = 5_000;

/** `name`, `meaning` and `fault` are phrase keys. */
export type Span = {
  /** Characters from the start of the text. */
  offset: number;
  length: number;
  part: 'header' | 'field' | 'syntax' | 'surplus';
  name: string | null;
  /** The path in the payload, such as `meterValue[0].sampledValue[1].value`; null for what is not a field. */
  path: string | null;
  raw: string;
  /** A string without its quotes and escapes; other values unchanged. Null when unreadable. */
  value: string | null;
  meaning: string | null;
};

export type Explanation = {
  text: string;
  kind: 'call' | 'result' | 'error' | null;
  action: string | null;
  /** The phrase key of the message; null for an unknown action. */
  name: string | null;
  messageId: string | null;
  fault: string | null;
  spans: readonly Span[];
};

/** `askedFor` is the action that a reply answers, which the reply itself does not contain. */
export function explain(text: string, askedFor: string | null = null): Explanation {
  const frame = readFrame(text);
  const kind = frame.kind !== 'fault' ? frame.kind : frame.intent === 'call' ? 'call' : kindOf(text);
  const action = frame.kind === 'call' || frame.kind === 'fault' ? (frame.action ?? askedFor) : askedFor;
  return {
    text,
    kind,
    action,
    name: action === null ? null : messageKey(action),
    messageId: frame.id,
    fault: frame.kind === 'fault' ? faultKey(frame.because) : null,
    spans: spansOf(text, kind),
  };
}

const beginning = /^\s*\[\s*([234])\s*(?:,|\])/;

function kindOf(text: string): Explanation['kind'] {
  const type = beginning.exec(text.slice(0, 1_024))?.[1];
  return type === '2' ? 'call' : type === '3' ? 'result' : type === '4' ? 'error' : null;
}

/** The parts around the payload, by position in the frame. */
const heads = {
  call: ['messageType', 'messageId', 'action'],
  result: ['messageType', 'messageId'],
  error: ['messageType', 'messageId', 'errorCode', 'errorDescription'],
} as const;

function spansOf(text: string, kind: Explanation['kind']): Span[] {
  const reader = new JsonReader(withBlankPadding(text), frameDepthMax);
  const spans: Span[] = [];
  let at = 0;
  const syntaxUpTo = (end: number) => {
    if (end > at) spans.push(plain(text, at, end, 'syntax', null));
    at = end;
  };
  for (let values = 0; ; values += 1) {
    const found = reader.next();
    if (found === null) break;
    syntaxUpTo(found.offset);
    if (values >= explainedValuesMax) {
      spans.push(plain(text, at, text.length, 'surplus', partKey('unexplained')));
      return spans;
    }
    const raw = text.slice(found.offset, found.end);
    spans.push(valueSpan({ offset: found.offset, raw, value: found.value }, reader.place(), kind));
    at = found.end;
  }
  const { brokenAt } = reader;
  syntaxUpTo(brokenAt ?? text.length);
  if (brokenAt !== null && brokenAt < text.length) {
    spans.push(plain(text, brokenAt, text.length, 'surplus', partKey('unreadable')));
  }
  return spans;
}

function valueSpan(
  { offset, raw, value }: { offset: number; raw: string; value: string },
  place: Place,
  kind: Explanation['kind'],
): Span {
  const span = { offset, length: raw.length, raw, value };
  const [first, ...inside] = place;
  const head = kind === null || inside.length > 0 || typeof first !== 'number' ? undefined : heads[kind][first];
  if (head !== undefined) {
    return { ...span, part: 'header', name: partKey(head), path: null, meaning: headMeaning(head, value, kind) };
  }
  const isPayload = kind !== null && first === heads[kind].length;
  const path = isPayload ? inside : place;
  const field = path.findLast((step) => typeof step === 'string');
  return {
    ...span,
    part: 'field',
    name: field === undefined ? null : fieldKey(field),
    path: pathText(path),
    meaning: field === undefined ? null : meaningKey(field, value),
  };
}

function headMeaning(head: (typeof heads)['call' | 'error'][number], value: string, kind: Explanation['kind']) {
  switch (head) {
    case 'messageType':
      return kind === null ? null : typeKey(kind);
    case 'action':
      return messageKey(value);
    case 'errorCode':
      return errorKey(value);
    default:
      return null;
  }
}

function pathText(place: Place): string {
  return place
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function plain(text: string, from: number, end: number, part: Span['part'], name: string | null): Span {
  const raw = text.slice(from, end);
  return { offset: from, length: end - from, part, name, path: null, raw, value: null, meaning: null };
}
