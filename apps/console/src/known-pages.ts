let paths: ReadonlySet<string> = new Set();

/** Tells which pages this version has. A page cannot ask the registry itself: the registry loads the page. */
export function knowPages(known: readonly string[]): void {
  paths = new Set(known);
}

/** Whether this version has a page at a frontendUrl, whoever may open it. */
export function hasPage(frontendUrl: string): boolean {
  return paths.has(frontendUrl);
}
