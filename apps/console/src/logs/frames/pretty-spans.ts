import type { FrameSpan } from '@voltdeck/contract/logs';

/** A piece of a JSON text: a value with the index of its span, or the text between values. */
export type JsonPiece = { text: string; index: number | null };
export type JsonLine = { depth: number; pieces: readonly JsonPiece[] };

/** Deeper nesting is not indented further. */
const depthMax = 24;

/**
 * A JSON text with one line per value, each value still tied to its span. Broken JSON is shown as far as its spans
 * reach; nothing is parsed here, so nothing can be misread.
 */
export function prettySpans(text: string, spans: readonly FrameSpan[]): JsonLine[] {
  const lines: { depth: number; pieces: JsonPiece[] }[] = [{ depth: 0, pieces: [] }];
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  const put = (piece: string, index: number | null) => {
    const line = lines.at(-1);
    const last = line?.pieces.at(-1);
    if (last !== undefined && last.index === index) last.text += piece;
    else line?.pieces.push({ text: piece, index });
  };
  const breakLine = () => lines.push({ depth: Math.min(depth, depthMax), pieces: [] });
  const isEmptySince = (opening: string) =>
    lines.at(-1)?.pieces.length === 0 && lines.at(-2)?.pieces.at(-1)?.text.endsWith(opening);

  const putSyntax = (syntax: string) => {
    for (const letter of syntax) {
      if (isInString) {
        put(letter, null);
        if (isEscaped) isEscaped = false;
        else if (letter === '\\') isEscaped = true;
        else if (letter === '"') isInString = false;
        continue;
      }
      switch (letter) {
        case '"':
          isInString = true;
          put(letter, null);
          break;
        case '{':
        case '[':
          put(letter, null);
          depth += 1;
          breakLine();
          break;
        case '}':
        case ']':
          depth = Math.max(0, depth - 1);
          if (isEmptySince(letter === '}' ? '{' : '[')) lines.pop();
          else breakLine();
          put(letter, null);
          break;
        case ',':
          put(letter, null);
          breakLine();
          break;
        case ':':
          put(': ', null);
          break;
        default:
          if (letter.trim() !== '') put(letter, null);
      }
    }
  };

  for (const [index, span] of spans.entries()) {
    const piece = text.slice(span.offset, span.offset + span.length);
    if (span.part === 'syntax') putSyntax(piece);
    else put(piece, index);
  }
  return lines.filter(({ pieces }) => pieces.length > 0);
}
