const latin = { from: 0x20, to: 0x17f } as const;
const punctuation = { from: 0x2010, to: 0x203f } as const;

/** The characters of a name or address in China: those of GBK, 21,000 Han characters among them, and Latin ones. */
export function printedCharacters(): string {
  const decoder = new TextDecoder('gbk');
  const found = new Set<number>();
  for (const { from, to } of [latin, punctuation]) {
    for (let code = from; code <= to; code += 1) found.add(code);
  }
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const [character, ...others] = decoder.decode(Uint8Array.of(lead, trail));
      const code = character?.codePointAt(0);
      if (code !== undefined && others.length === 0) found.add(code);
    }
  }
  return String.fromCodePoint(...[...found].filter(isPrinted));
}

/** No control character, no place for private use, no mark of a failed reading. */
function isPrinted(code: number): boolean {
  return !/[\p{Cc}\p{Co}\ufffd]/u.test(String.fromCodePoint(code));
}
