import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** The node that holds a station's socket, with a number that rises with every holder of any station. */
export type Holder = { node: string; number: number };

/** Makes this node the holder of an arriving station. */
export async function takeHold({ db }: Pick<Database, 'db'>, node: string): Promise<Holder> {
  const { rows } = await sql<{ number: number }>`select nextval('station_holders') as number`.execute(db);
  const number = rows[0]?.number;
  if (number === undefined) throw new Error('a sequence gave no number');
  return { node, number };
}
