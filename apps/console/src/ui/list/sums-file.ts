type Summed = { key: string; title: string; sum?: { text: (sum: number) => string } };

/** Programs that take a CSV file for one in the system's own encoding go by this. */
const byteOrderMark = '\ufeff';
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The sums of a list as CSV (RFC 4180): a line for each column, as on the screen. */
export function sumsFile(columns: readonly Summed[], sums: Readonly<Record<string, number>>): Blob {
  const lines = columns.flatMap(({ key, title, sum }) =>
    sum === undefined ? [] : [`${quoted(title)},${quoted(sum.text(sums[key] ?? 0))}`],
  );
  return new Blob([byteOrderMark, lines.map((line) => `${line}\r\n`).join('')], { type: 'text/csv;charset=utf-8' });
}
