import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What an operator's process wrote down, line by line on the disk: what is in it outlives the process. */
export type Book<Entry> = {
  /** Those of the processes before. */
  readonly kept: readonly Entry[];
  enter(entry: Entry): void;
};

/** The last line may be torn by a kill; nobody was told of it. */
const linesOf = (text: string) => text.split('\n').slice(0, -1);

export function openBook<Entry>(path: string): Book<Entry> {
  const book = openSync(path, 'a+');
  const written = readFileSync(path, 'utf8');
  truncateSync(path, Buffer.byteLength(written.slice(0, written.lastIndexOf('\n') + 1)));
  return {
    kept: linesOf(written).map((line) => JSON.parse(line) as Entry),
    enter(entry) {
      appendFileSync(book, `${JSON.stringify(entry)}\n`);
      fsyncSync(book);
    },
  };
}

/** The entries of a book that another process writes, oldest first. */
export async function readBook<Entry>(path: string): Promise<Entry[]> {
  if (!existsSync(path)) return [];
  return linesOf(await readFile(path, 'utf8')).map((line) => JSON.parse(line) as Entry);
}
