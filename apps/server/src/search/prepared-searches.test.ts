import { instant } from '@voltdeck/units/instant';
import { Kysely, PostgresDialect } from 'kysely';
import { expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { alwaysPrepared, FrequentStatements } from '../database/frequent-statements.ts';
import type { Tables } from '../database/tables.generated.ts';
import { openTestApi } from '../http/test-api.ts';
import { searchRecords } from './search-records.ts';

test('every statement of the search is prepared', async () => {
  const api = await openTestApi();
  const texts = new Set<string>();
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: api.database.pool }),
    log({ query }) {
      texts.add(query.sql);
    },
  });
  const agent = await api.addAgent('one');
  const at = instant(Date.parse('2026-11-21T04:00:00Z'));
  const gone = new AbortController().signal;
  const numbers = ['2026', '2026112112000000000009', '3201060001923601261', '138 0013 8000', 'R2026112112', '06C00CE3'];
  for (const text of [...numbers, '浙A12345', 'LSVAM4187C2184847', '西湖 站']) {
    await searchRecords(db, platformCaller(), text, { at, gone });
    await searchRecords(db, platformCaller({ agents: [agent] }), text, { at, gone });
  }
  const unprepared = [...texts].filter((text) => new FrequentStatements(alwaysPrepared).nameOf(text) === undefined);
  expect(texts.size).toBeGreaterThan(30);
  expect(unprepared).toEqual([]);
  await api.close();
});
