/** Sizes in millimetres: the page, and how many labels it has. A roll has one label a page. */
export const labelFormats = {
  'a4-3x8': { page: { width: 210, height: 297 }, columns: 3, rows: 8, margin: { x: 0, y: 0 } },
  'a4-2x5': { page: { width: 210, height: 297 }, columns: 2, rows: 5, margin: { x: 8, y: 11 } },
  '50x70': { page: { width: 50, height: 70 }, columns: 1, rows: 1, margin: { x: 0, y: 0 } },
  '40x60': { page: { width: 40, height: 60 }, columns: 1, rows: 1, margin: { x: 0, y: 0 } },
} as const;
export type LabelFormat = keyof typeof labelFormats;

export type LabelPlace = {
  pageCount: number;
  labelWidth: number;
  labelHeight: number;
  /** The side of the code. */
  code: number;
  isUpright: boolean;
};

const paddingMm = 3;
/** What the lines of text need below an upright code. */
const textHeightMm = 17;

/** How a sheet of so many labels is laid out. */
export function labelPlace(format: LabelFormat, count: number): LabelPlace {
  const { page, columns, rows, margin } = labelFormats[format];
  const labelWidth = (page.width - 2 * margin.x) / columns;
  const labelHeight = (page.height - 2 * margin.y) / rows;
  const isUpright = labelHeight > labelWidth;
  const code = isUpright
    ? Math.min(labelWidth - 2 * paddingMm, labelHeight - 2 * paddingMm - textHeightMm)
    : Math.min(labelHeight - 2 * paddingMm, labelWidth / 2);
  return { pageCount: Math.ceil(count / (columns * rows)), labelWidth, labelHeight, code, isUpright };
}

/** Splits into pages. */
export function pagesOf<Item>(format: LabelFormat, items: readonly Item[]): Item[][] {
  const { columns, rows } = labelFormats[format];
  const each = columns * rows;
  return Array.from({ length: Math.ceil(items.length / each) }, (_, page) =>
    items.slice(page * each, (page + 1) * each),
  );
}
