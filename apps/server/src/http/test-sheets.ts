import { inflateRawSync } from 'node:zlib';

/** The rows of one of a workbook's sheets as the texts of their cells. */
export function sheetRows(workbook: Buffer, sheet = 1): string[][] {
  return [...sheetText(workbook, sheet).matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c(?:\/>|[^>]*>(.*?)<\/c>)/gs)].map(([, cell = '']) =>
      (/<(?:v|t|t xml:space="preserve")>(.*)<\/[vt]>/s.exec(cell)?.[1] ?? '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
  );
}

/** The XML of one of a workbook's sheets. */
export function sheetText(workbook: Buffer, sheet = 1): string {
  const name = `xl/worksheets/sheet${sheet}.xml`;
  const start = workbook.indexOf(name) + name.length;
  const end = workbook.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]), start);
  return inflateRawSync(workbook.subarray(start, end)).toString('utf8');
}

/** The rows of comma-separated values (RFC 4180), after their byte order mark. */
export function csvRows(text: string): string[][] {
  const fields = text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of fields) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
