import type { CopyRows } from '@voltdeck/server/database/copy-rows';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Sends rows to a `copy … from stdin (format binary)` statement. */
export async function copyInto(client: pg.ClientBase, statement: string, rows: CopyRows): Promise<void> {
  if (rows.rows === 0) return;
  const stream = client.query(copyFrom(statement));
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    stream.end(rows.finish());
  });
}
