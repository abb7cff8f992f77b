import type { Readable } from 'node:stream';
import type { LabelFormat } from '@voltdeck/contract/label-formats';
import type { ExportFormat, ListName } from '@voltdeck/contract/list';
import type { RehearsalFilter } from '@voltdeck/contract/rehearsals';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { ConnectorId } from '@voltdeck/units/id';
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

/** Charges to be priced again; the answer is JSON. Plain data as well. */
export type WantedRehearsal = {
  caller: Caller;
  rehearsal: { tariff: Tariff; filter: RehearsalFilter };
};

/** Labels of gun ports as PDF: of the ports with these ids, or of those that the list's filter matches. */
export type WantedLabels = {
  caller: Caller;
  at: Instant;
  labels: {
    format: LabelFormat;
    connectorIds: readonly ConnectorId[] | null;
    /** As parsed by the list of gun ports. */
    filter: object;
    sort: string | undefined;
  };
};

export type Wanted = WantedExport | WantedRehearsal | WantedLabels;

/** Does what reads much without delaying stations: lists as files, charges priced again, labels drawn. */
export interface Exports {
  /**
   * The file as a stream, written at most some chunks ahead of its reader. `onRows` gets the number of rows of each
   * batch. Destroying the stream ends the work, and an error in it breaks the stream off.
   */
  write(wanted: Wanted, onRows?: (rows: number) => void): Readable;
  /** Breaks off every file being written. */
  close(): Promise<void>;
}
