import type { FrameSpan } from '@voltdeck/contract/logs';
import { phrase } from '../../phrases.ts';
import { wordOf } from '../log-words.ts';

/** Neighbours differ in colour. Most people can tell six apart, and each part is numbered as well. */
const fieldHues = 6;

/** "0" to "5" for fields, a name for framing parts and faults. */
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

/** The number of each part in the bytes and the table; separators have none. */
export function spanNumbers(spans: readonly FrameSpan[]): readonly (number | null)[] {
  let number = 0;
  return spans.map(({ part }) => {
    if (part === 'syntax') return null;
    number += 1;
    return number;
  });
}

/** A part's name: in the console's language, else from the protocol's documents, else by its purpose. */
export function spanName(span: FrameSpan): string {
  return wordOf(span.name) ?? span.path ?? phrase(`logs.part.${span.part}`);
}
