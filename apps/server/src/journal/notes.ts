import type { ChargeNote } from '@voltdeck/charging/charge-note';
import type { OrderId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { copyIn } from '../database/copy-in.ts';
import { CopyRows } from '../database/copy-rows.ts';

/** Messages between vehicle and charger; `orderId` is null while the charge is unknown. */
export type JournalNote = {
  at: Instant;
  orderId: OrderId | null;
  stationId: StationId;
  connectorNumber: number;
  note: ChargeNote;
};

const copyNotesSql = `copy charge_notes (at, order_id, station_id, connector_number, kind, detail)
  from stdin (format binary)`;

export async function copyNotes(client: pg.PoolClient, notes: readonly JournalNote[]): Promise<void> {
  const rows = new CopyRows(notes.length * 64);
  for (const { at, orderId, stationId, connectorNumber, note } of notes) {
    rows.row(6);
    rows.instant(at);
    rows.bigint(orderId);
    rows.bigint(stationId);
    rows.integer(connectorNumber);
    rows.text(note.kind);
    rows.jsonb(JSON.stringify(note.values));
  }
  await copyIn(client, copyNotesSql, rows);
}
