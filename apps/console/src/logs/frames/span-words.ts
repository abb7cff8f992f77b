import type { FrameSpan } from '@voltdeck/contract/logs';
import { phrase } from '../../phrases.ts';
import { wordOf } from '../log-words.ts';

/** Neighbours differ in colour; six are told apart by most people, and each part has its number besides. */
const fieldHues = 6;

/** "0" to "5" for fields, a name of its own for what frames and breaks them. */
export function hueOf(span: FrameSpan, index: number): string {
  switch (span.part) {
    case 'field':
      return String(index % fieldHues);
    case 'surplus':
      return 'surplus';
    case 'checksum':
      return 'checksum';
    default:
      return 'frame';
  }
}

/** The number under which each part stands in bytes and table; what only separates values has none. */
export function spanNumbers(spans: readonly FrameSpan[]): readonly (number | null)[] {
  let number = 0;
  return spans.map(({ part }) => {
    if (part === 'syntax') return null;
    number += 1;
    return number;
  });
}

/** What a part is called: in the console's language, as the protocol's papers call it, or by what it is for. */
export function spanName(span: FrameSpan): string {
  return wordOf(span.name) ?? span.path ?? phrase(`logs.part.${span.part}`);
}
