import type { FrameSpan } from '@voltdeck/contract/logs';

export type HexPiece = {
  /** The span of these bytes. */
  index: number;
  /** Pairs of hex digits. */
  bytes: readonly string[];
  /** Whether these are the first bytes of the span, where its number is shown. */
  isStart: boolean;
  isEnd: boolean;
};

export type HexRow = { offset: number; pieces: readonly HexPiece[] };

/** The bytes of a frame in rows of `width`, split by span. */
export function hexRows(text: string, spans: readonly FrameSpan[], width: number): HexRow[] {
  const bytes = text.match(/[0-9A-Fa-f]{2}/g) ?? [];
  const rows: { offset: number; pieces: HexPiece[] }[] = [];
  for (const [index, span] of spans.entries()) {
    const end = Math.min(span.offset + span.length, bytes.length);
    for (let at = span.offset; at < end; ) {
      const offset = at - (at % width);
      const stop = Math.min(end, offset + width);
      let row = rows.at(-1);
      if (row?.offset !== offset) {
        row = { offset, pieces: [] };
        rows.push(row);
      }
      row.pieces.push({ index, bytes: bytes.slice(at, stop), isStart: at === span.offset, isEnd: stop === end });
      at = stop;
    }
  }
  return rows;
}

/** "68 0C 00 01" */
export function spacedHex(text: string): string {
  return (text.match(/.{1,2}/g) ?? []).join(' ');
}
