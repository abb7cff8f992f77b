import type { ChartColours } from '../ui/chart-colours.ts';

export type ChartColour = keyof ChartColours;
export type TooltipRow = readonly [name: string, text: string];

/** The text of axes. */
export const axisText = (colours: ChartColours) => ({ color: colours.textFaint, fontSize: 11 });

/** What all charts of the page have in common. */
export const chartLook = { animation: false, textStyle: { fontFamily: 'inherit' } } as const;

export function tooltipLook(colours: ChartColours) {
  return {
    confine: true,
    backgroundColor: colours.panel,
    borderColor: colours.border,
    padding: [8, 12],
    textStyle: { color: colours.text, fontSize: 12 },
  };
}

/** A tooltip as elements: names of sites and stations are never read as HTML. */
export function tooltip(head: string, rows: readonly TooltipRow[]): HTMLElement {
  const box = document.createElement('div');
  const title = document.createElement('div');
  title.textContent = head;
  title.style.marginBottom = '4px';
  box.append(title);
  for (const [name, text] of rows) {
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;justify-content:space-between;gap:16px';
    const label = document.createElement('span');
    label.textContent = name;
    const value = document.createElement('b');
    value.textContent = text;
    value.style.fontVariantNumeric = 'tabular-nums';
    row.append(label, value);
    box.append(row);
  }
  return box;
}

/** The data index of a tooltip's item, whichever way it was triggered. */
export function indexOf(given: unknown): number | undefined {
  const [item] = (Array.isArray(given) ? given : [given]) as { dataIndex?: number }[];
  return item?.dataIndex;
}
