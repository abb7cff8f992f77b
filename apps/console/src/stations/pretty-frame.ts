/** JSON indented for reading; anything else exactly as it came. Only the display changes, never the log. */
export function prettyFrame(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
