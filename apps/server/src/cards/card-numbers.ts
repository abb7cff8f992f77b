import { spellingsOf } from '@voltdeck/charging/chip-number';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

export type CardNumbers = { number: string; physicalNumber: string };

/** OCPP compares numbers without case (1.6, section 7.28); stored in capitals, they compare directly. */
export function numbersOf(form: { number: string; physicalNumber?: string | undefined }): CardNumbers {
  return { number: form.number, physicalNumber: form.physicalNumber?.toUpperCase() ?? form.number };
}

/** Every way in which a station may show either number. */
export function spellingsOfCard({ number, physicalNumber }: CardNumbers): string[] {
  return [number, physicalNumber].flatMap(spellingsOf);
}

/** The numbers among these that cards have, as one or the other. */
export async function takenNumbers(trx: Trx, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('cards')
    .select(['number', 'physical_number'])
    .where(sql<boolean>`(number = any(${[...numbers]}) or physical_number = any(${[...numbers]}))`)
    .execute();
  return new Set(rows.flatMap((row) => [row.number, row.physical_number]));
}
