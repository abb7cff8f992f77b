import { Readable } from 'node:stream';
import type { RehearsalResult } from '@voltdeck/contract/rehearsals';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { WantedRehearsal } from '../exports/exports.ts';
import { readCharges } from './read-charges.ts';
import { rehearseCharge } from './rehearse-charge.ts';
import { RehearsalSums, type SiteSums } from './sum-up.ts';

/** What passes between the two threads when all charges have been priced. */
export type WrittenRehearsal = { result: RehearsalResult; sites: SiteSums[] };

/** Prices the charges again and writes what they add up to as JSON. `onRows` is called after each batch. */
export function writeRehearsal(
  db: Kysely<Tables>,
  { caller, rehearsal: { tariff, filter } }: WantedRehearsal,
  onRows: (rows: number) => void = () => undefined,
): Readable {
  async function* written(): AsyncGenerator<Buffer> {
    const sums = new RehearsalSums();
    for await (const charges of readCharges(db, caller, tariff.kind, filter)) {
      for (const charge of charges) {
        const { settled, readings } = charge;
        sums.add(charge, settled === null ? { kind: 'not_reproduced' } : rehearseCharge(settled, readings, tariff));
      }
      onRows(charges.length);
    }
    const answer: WrittenRehearsal = { result: sums.result(), sites: sums.sites() };
    yield Buffer.from(JSON.stringify(answer));
  }
  return Readable.from(written(), { objectMode: false });
}
