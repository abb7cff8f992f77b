/** Where the API lives, below the console's own origin. */
export const apiRoot = '/api';

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

/**
 * The address of a route: parameters into the {braces}, the query behind it. Lists are written `a,b`; undefined, null,
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
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value);
    if (text !== '') search.set(name, text);
  }
  const tail = search.size === 0 ? '' : `?${search}`;
  return `${apiRoot}${filled}${tail}`;
}
