import type { Readable } from 'node:stream';
import type { ExportList } from '@voltdeck/contract/tasks';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../caller/caller.ts';

/** The rows that somebody wants as a file. Plain data: it goes to the thread that writes it. */
export type WantedExport = {
  list: ExportList;
  caller: Caller;
  /** The filter as the list's own route reads it. */
  query: unknown;
  /** Rows that are added later are left out. */
  at: Instant;
  /** What the sheet is called. */
  title: string;
};

/** Writes lists as Excel files without keeping stations waiting. */
export interface Exports {
  /**
   * The file, written while it is read and no further ahead than some chunks. `onRows` is called with the number of rows
   * of each batch. Destroying the stream ends the work, and what breaks there breaks the stream off.
   */
  write(wanted: WantedExport, onRows?: (rows: number) => void): Readable;
  /** Breaks off what is being written. */
  close(): Promise<void>;
}
