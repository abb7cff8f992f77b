import { totalSubjects } from '@voltdeck/contract/totals';
import { dayMs, instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import { openTestApi } from '../http/test-api.ts';
import { makeOrder, makePlace } from '../http/test-records.ts';
import { keepSales } from './keep-sales.ts';
import { totalList } from './totals.ts';

test('totals of ten thousand stations are joined by their keys, not each with every other', async () => {
  const api = await openTestApi();
  const { db } = api.database;
  const at = instant(Date.parse('2026-11-21T04:30:00Z'));
  const agent = await api.addAgent('one');
  for (const place of [await makePlace(api.database, agent, 'theirs'), await makePlace(api.database, null, 'ours')]) {
    await makeOrder(api.database, place, instant(at - dayMs));
  }
  await keepSales(db);
  for (const by of totalSubjects) {
    const rows = await totalList.filtered(db, platformCaller(), { by }, at);
    if (rows === null || 'length' in rows) throw new Error('one query');
    const read = rows.selectAll('s');
    expect((await read.execute()).map(({ ports }) => ports)).toEqual(by === 'day' ? [4] : [2, 2]);
    const plan = await db.transaction().execute(async (trx) => {
      await sql`set local enable_nestloop = off`.execute(trx);
      return JSON.stringify(await trx.executeQuery(sql`explain ${read}`.compile(trx)));
    });
    expect(plan).not.toContain('DISTINCT FROM');
    if (by !== 'day') expect(plan).not.toContain('Join Filter');
  }
  await api.close();
});
