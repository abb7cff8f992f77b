import { type ListRoute, partFields } from '@voltdeck/contract/list';

/** The filter of a list in its address, without the page and what is not the list's. */
export function filterIn({ query }: Pick<ListRoute, 'query'>, search: URLSearchParams): Record<string, string> {
  const known = new Set(Object.keys((query as unknown as { shape: object }).shape));
  for (const part of partFields) known.delete(part);
  return Object.fromEntries([...search].filter(([name, value]) => known.has(name) && value !== ''));
}
