/** Sizes in millimetres: the page, and how many labels it has. A roll has one label a page. */
export const labelFormats = {
  'a4-3x8': { page: { width: 210, height: 297 }, columns: 3, rows: 8, margin: { x: 0, y: 0 } },
  'a4-2x5': { page: { width: 210, height: 297 }, columns: 2, rows: 5, margin: { x: 8, y: 11 } },
  '50x70': { page: { width: 50, height: 70 }, columns: 1, rows: 1, margin: { x: 0, y: 0 } },
  '40x60': { page: { width: 40, height: 60 }, columns: 1, rows: 1, margin: { x: 0, y: 0 } },
} as const;
export type LabelFormat = keyof typeof labelFormats;
export const labelFormatNames = Object.keys(labelFormats) as [LabelFormat, ...LabelFormat[]];

/** A box in millimetres, from the upper left corner of its label. */
export type LabelBox = { x: number; y: number; width: number; height: number };

export type LabelPlace = {
  pageCount: number;
  labelsPerPage: number;
  labelWidth: number;
  labelHeight: number;
  /** The code's square, its quiet zone included. */
  code: LabelBox;
  /** Where the lines of text have room. */
  text: LabelBox;
  /** The code stands above its text. */
  isUpright: boolean;
};

const paddingMm = 3;
const gapMm = 2;
/** What the lines of text need below an upright code. */
const textHeightMm = 17;

/** How a sheet of so many labels is laid out. */
export function labelPlace(format: LabelFormat, count: number): LabelPlace {
  const { page, columns, rows, margin } = labelFormats[format];
  const labelWidth = (page.width - 2 * margin.x) / columns;
  const labelHeight = (page.height - 2 * margin.y) / rows;
  const width = labelWidth - 2 * paddingMm;
  const height = labelHeight - 2 * paddingMm;
  const isUpright = labelHeight > labelWidth;
  const side = isUpright ? Math.min(width, height - textHeightMm) : Math.min(height, labelWidth / 2);
  const code = {
    x: isUpright ? (labelWidth - side) / 2 : paddingMm,
    y: isUpright ? paddingMm : (labelHeight - side) / 2,
    width: side,
    height: side,
  };
  const text = isUpright
    ? { x: paddingMm, y: paddingMm + side, width, height: height - side }
    : { x: paddingMm + side + gapMm, y: paddingMm, width: width - side - gapMm, height };
  const labelsPerPage = columns * rows;
  return {
    pageCount: Math.ceil(count / labelsPerPage),
    labelsPerPage,
    labelWidth,
    labelHeight,
    code,
    text,
    isUpright,
  };
}

/** Where the label of this number, from 0 on its page, begins, in millimetres from the upper left corner of the page. */
export function labelCorner(format: LabelFormat, index: number): { x: number; y: number } {
  const { columns, margin } = labelFormats[format];
  const { labelWidth, labelHeight } = labelPlace(format, 1);
  return {
    x: margin.x + (index % columns) * labelWidth,
    y: margin.y + Math.floor(index / columns) * labelHeight,
  };
}
