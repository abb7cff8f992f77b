/** The API's path below the console's origin. */
export const apiRoot = '/api';

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

/**
 * The address of a route: parameters replace the {braces}, the query follows. Lists are written `a,b`; undefined, null,
 * empty texts and empty lists are left out.
 * @throws Error when a parameter is missing.
 */
export function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null) throw new Error(`${path} needs the parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  return `${apiRoot}${filled}${searchOf(query)}`;
}

/** The query string; empty when no value is given. */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value);
    if (text !== '') search.set(name, text);
  }
  return search.size === 0 ? '' : `?${search}`;
}
