import { setImmediate as othersFirst } from 'node:timers/promises';

/** What is decoded before others have their turn: some milliseconds of work. */
const pieceBytes = 128 * 1024;

/** The lines of a file of any size, without their ends. Whatever else the process has to do comes in between. */
export async function* billRows(bytes: Buffer, encoding: 'utf-8' | 'gb18030'): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes);
    const rows = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n');
    rest = rows.pop() ?? '';
    yield rows.map((row) => row.replace(/\r$/, ''));
    await othersFirst();
  }
  const last = `${rest}${decoder.decode()}`;
  if (last !== '') yield [last];
}
