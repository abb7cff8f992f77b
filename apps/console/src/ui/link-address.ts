const linkPattern = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** Specification section 5: link-like values start with http, https, mailto or tel. */
export function isLink(text: string): boolean {
  return linkPattern.test(text.trim());
}
