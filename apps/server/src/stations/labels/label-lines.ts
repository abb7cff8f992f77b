/** The width of a text in units of its font size. */
export type WidthOf = (text: string) => number;

/** A text of a label, in order of its place. */
export type LabelText = {
  text: string;
  sizeMm: number;
  /** It wraps into this many lines and is then cut; a number, which must not be cut, has no limit. */
  linesMax: number | null;
  /** Texts give way to others in this order, from 1: one shrinks to one line, then disappears. Null never does. */
  givesWay: number | null;
};

export type LabelLine = { text: string; sizeMm: number };

export const lineHeight = 1.25;

/** The lines that fit into the box; the texts that may give way do so until the others have room. */
export function labelLines(
  texts: readonly LabelText[],
  box: { width: number; height: number },
  widthOf: WidthOf,
): LabelLine[] {
  let shown = texts.filter(({ text }) => text !== '');
  for (;;) {
    const lines = shown.flatMap(({ text, sizeMm, linesMax }) =>
      wrapped(text, box.width / sizeMm, linesMax, widthOf).map((line) => ({ text: line, sizeMm })),
    );
    const height = lines.reduce((sum, { sizeMm }) => sum + sizeMm * lineHeight, 0);
    const giving = shown
      .filter(({ givesWay }) => givesWay !== null)
      .sort((one, other) => (one.givesWay ?? 0) - (other.givesWay ?? 0));
    if (height <= box.height || giving[0] === undefined) return lines;
    const long = giving.find(({ linesMax }) => linesMax !== 1);
    shown =
      long === undefined
        ? shown.filter((one) => one !== giving[0])
        : shown.map((one) => (one === long ? { ...one, linesMax: 1 } : one));
  }
}

const ellipsis = '…';

/** Breaks between any two Chinese characters, but not within a word of another script where a line has a space. */
function wrapped(text: string, width: number, linesMax: number | null, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const isLast = linesMax !== null && lines.length === linesMax - 1;
    if (isLast && widthOf(rest) > width) {
      const room = width - widthOf(ellipsis);
      lines.push(`${fitting(rest, room, widthOf).trimEnd()}${ellipsis}`);
      return lines;
    }
    const line = fitting(rest, width, widthOf);
    const space = isWithinWord(rest, line.length) ? line.lastIndexOf(' ') : -1;
    const taken = space > 0 ? line.slice(0, space) : line;
    lines.push(taken.trimEnd());
    rest = rest.slice(taken.length).trimStart();
  }
  return lines;
}

function isWithinWord(text: string, place: number): boolean {
  return /^[^\s\p{Script=Han}]{2}$/u.test(text.slice(place - 1, place + 1));
}

/** As many characters from the beginning as fit, but at least one. */
function fitting(text: string, width: number, widthOf: WidthOf): string {
  let taken = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (taken !== '' && used > width) break;
    taken += character;
  }
  return taken;
}
