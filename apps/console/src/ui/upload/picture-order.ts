/** The list with the item at `from` standing at `to`; unchanged where either is outside it. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length || from === to) return list;
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}
