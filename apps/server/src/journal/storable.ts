/** What a station named may hold an escaped NUL, which no text of the database does; frames as a whole hold none. */
export function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\u2400');
}
