import type { Language } from '@voltdeck/contract/languages';
import { configuredFacilities, facilitiesKey } from '@voltdeck/contract/site-facilities';
import { builtInFacilities } from '@voltdeck/contract/sites';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { say } from '../http/say.ts';

/** The parameter with the further facilities, as part of a larger statement. */
export const facilitiesValue: RawBuilder<string | null> = sql`(
  select value from configs where key = ${sql.lit(facilitiesKey)} and not secret)`;

export type Facility = { code: string; name: string };

/** Every facility that a site can have: the built-in ones, then the configured ones. */
export function facilitiesOf(value: string | null, language: Language): readonly Facility[] {
  return [
    ...builtInFacilities.map((code) => ({ code, name: say(language, `facility.${code}`) })),
    ...(configuredFacilities(value ?? '') ?? []).map(({ code, names }) => ({ code, name: names[language] })),
  ];
}

export async function readFacilities(db: Kysely<Tables>, language: Language): Promise<readonly Facility[]> {
  const { value } = await db.selectNoFrom(facilitiesValue.as('value')).executeTakeFirstOrThrow();
  return facilitiesOf(value, language);
}
