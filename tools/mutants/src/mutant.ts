/** The result of one change. */
export type Fate =
  /** A test failed. */
  | 'noticed'
  /** The tests did not end, which a person would notice too. */
  | 'timed-out'
  /** The compiler refuses it, so it does not count. */
  | 'not-compiling'
  | 'survived';

export interface Mutant {
  /** From the repository's root, with forward slashes. */
  file: string;
  /** From 1. */
  line: number;
  /** The first line of the changed code, without indentation. */
  was: string;
  /** The same line after the change, with what follows the changed code if that spans several lines. */
  becomes: string;
  fate: Fate;
}

/** Positions count from 1; the end is after the last character. */
export interface Span {
  start: { line: number; column: number };
  end: { line: number; column: number };
}

/** Replaces `span` by `replacement`. */
export function changedText(text: string, span: Span, replacement: string): string {
  return text.slice(0, offsetOf(text, span.start)) + replacement + text.slice(offsetOf(text, span.end));
}

/** The changed line before and after, as in a diff. */
export function changedLine(text: string, span: Span, replacement: string): { was: string; becomes: string } {
  const lines = text.split('\n');
  const first = lines[span.start.line - 1] ?? '';
  const last = lines[span.end.line - 1] ?? '';
  const becomes = first.slice(0, span.start.column - 1) + replacement + last.slice(span.end.column - 1);
  return { was: first.trim(), becomes: becomes.trim() };
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) offset = text.indexOf('\n', offset) + 1;
  return offset + column - 1;
}
