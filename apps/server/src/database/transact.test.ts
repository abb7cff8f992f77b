import { instant } from '@voltdeck/units/instant';
import { failed, ok } from '@voltdeck/units/result';
import { expect, test } from 'vitest';
import { freshDatabase } from './test-database.ts';
import { type Trx, transact } from './transact.ts';

const add = (trx: Trx, phone: string) =>
  trx
    .insertInto('customers')
    .values({ phone, nickname: phone, created_at: instant(0) })
    .execute();

test('transact commits an answer, and rolls back a refusal and a bug', async () => {
  const { db } = await freshDatabase();
  const phones = async () => (await db.selectFrom('customers').select('phone').execute()).map(({ phone }) => phone);
  const kept = await transact(db, async (trx) => {
    await add(trx, 'kept');
    return ok(1);
  });
  expect(kept).toEqual({ ok: true, value: 1 });
  const refused = await transact(db, async (trx) => {
    await add(trx, 'refused');
    return failed({ code: 'record.changed' });
  });
  expect(refused).toEqual({ ok: false, error: { code: 'record.changed' } });
  await expect(
    transact(db, async (trx) => {
      await add(trx, 'bug');
      throw new Error('bug');
    }),
  ).rejects.toThrow('bug');
  expect(await phones()).toEqual(['kept']);
});

test('two deadlocked transactions are both carried out', async () => {
  const { db } = await freshDatabase();
  await transact(db, async (trx) => {
    await add(trx, 'one');
    await add(trx, 'two');
    return ok(null);
  });
  const met = Promise.withResolvers<void>();
  let arrived = 0;
  let runs = 0;
  const both = (first: string, second: string) =>
    transact(db, async (trx) => {
      runs += 1;
      const rename = (phone: string) =>
        trx
          .updateTable('customers')
          .set((eb) => ({ nickname: eb(eb.ref('nickname'), '||', '!') }))
          .where('phone', '=', phone)
          .execute();
      await rename(first);
      arrived += 1;
      if (arrived === 2) met.resolve();
      await met.promise;
      await rename(second);
      return ok(null);
    });
  const results = await Promise.all([both('one', 'two'), both('two', 'one')]);
  expect(results.every(({ ok: isOk }) => isOk)).toBe(true);
  // PostgreSQL breaks the cycle by one victim, or by both when they check at the same moment.
  expect(runs).toBeGreaterThanOrEqual(3);
  expect(runs).toBeLessThanOrEqual(4);
  const names = await db.selectFrom('customers').select('nickname').orderBy('phone').execute();
  expect(names.map(({ nickname }) => nickname)).toEqual(['one!!', 'two!!']);
});
