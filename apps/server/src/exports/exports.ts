import type { Readable } from 'node:stream';
import type { ExportFormat, ListName } from '@voltdeck/contract/list';
import type { Instant } from '@voltdeck/units/instant';
import type { Caller } from '../caller/caller.ts';

/** A requested file. Plain data, because it is passed to the thread that writes it. */
export type WantedExport = {
  list: ListName;
  caller: Caller;
  /** As parsed by the list's own route. */
  filter: object;
  /** Undefined for the list's default order. */
  sort: string | undefined;
  format: ExportFormat;
  at: Instant;
  /** The name of the sheet. */
  title: string;
};

/** Writes lists as files without delaying stations. */
export interface Exports {
  /**
   * The file as a stream, written at most some chunks ahead of its reader. `onRows` gets the number of rows of each
   * batch. Destroying the stream ends the work, and an error in it breaks the stream off.
   */
  write(wanted: WantedExport, onRows?: (rows: number) => void): Readable;
  /** Breaks off every file being written. */
  close(): Promise<void>;
}
