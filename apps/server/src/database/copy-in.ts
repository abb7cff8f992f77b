import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopyRows } from './copy-rows.ts';

/**
 * Sends the rows with `sql`, a COPY … FROM STDIN (FORMAT BINARY), in the client's transaction. Without rows there is no
 * query.
 */
export async function copyIn(client: pg.PoolClient, sql: string, rows: CopyRows): Promise<void> {
  if (rows.rows === 0) return;
  const stream = client.query(copyFrom(sql));
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    stream.end(rows.finish());
  });
}
