import { describe, expect, test } from 'vitest';
import { alwaysPrepared, FrequentStatements, statementLimits } from './frequent-statements.ts';

const { usesMin, countedMax, namesMax } = statementLimits;
const point = 'select name from sites where id = $1';

function use(statements: FrequentStatements, text: string, times: number): string | undefined {
  let name: string | undefined;
  for (let count = 0; count < times; count += 1) name = statements.nameOf(text);
  return name;
}

describe('a statement', () => {
  test('a statement has no name while it is rare and keeps the one it gets', () => {
    const statements = new FrequentStatements();
    expect(use(statements, point, usesMin - 1)).toBeUndefined();
    const name = statements.nameOf(point);
    expect(name).toMatch(/^frequent_\d+$/);
    expect(use(statements, point, 5)).toBe(name);
  });

  test('a statement shares its name with no other', () => {
    const statements = new FrequentStatements();
    const names = ['update a set b = $1', 'delete from a where b = $1', point].map((text) =>
      use(statements, text, usesMin),
    );
    expect(new Set(names).size).toBe(3);
  });

  test('a statement that is used now and then among many others stays unnamed', () => {
    const statements = new FrequentStatements();
    for (let round = 0; round < usesMin * 2; round += 1) {
      expect(statements.nameOf(point)).toBeUndefined();
      for (let other = 0; other < countedMax; other += 1) statements.nameOf(`select ${round * countedMax + other}`);
    }
  });

  test('a statement beyond the maximum stays unnamed, and earlier ones keep their names', () => {
    const statements = new FrequentStatements();
    for (let count = 0; count < namesMax; count += 1) use(statements, `select ${count} where $1`, usesMin);
    expect(use(statements, point, usesMin * 2)).toBeUndefined();
    expect(statements.nameOf('select 0 where $1')).toBe('frequent_1');
  });

  test('where new texts replace others, the one with the fewest uses loses its name, and no name is given twice', () => {
    const statements = new FrequentStatements(alwaysPrepared);
    const useful = use(statements, point, 3);
    for (let count = 0; count < alwaysPrepared.namesMax * 3; count += 1) {
      expect(statements.nameOf(`select ${count} where $1`)).toBe(`frequent_${count + 2}`);
    }
    expect(statements.nameOf(point)).toBe(useful);
    expect(statements.namesTaken).toBe(alwaysPrepared.namesMax * 2 + 1);
    expect([statements.isName('frequent_2'), statements.isName(useful ?? '')]).toEqual([false, true]);
  });

  test('a text that was used much long ago makes room for those that are used now', () => {
    const statements = new FrequentStatements({ ...alwaysPrepared, namesMax: 2, countedMax: 10 });
    use(statements, point, 20);
    use(statements, 'select 1 where $1', 60);
    use(statements, 'select 2 where $1', 2);
    expect(statements.isName('frequent_1')).toBe(false);
  });

  test.each([
    'select * from orders where id = $1',
    'select orders.* from orders',
    'select id, * from orders',
    'insert into sites (name) values ($1) returning *',
    'begin',
    'copy readings from stdin',
    `select ${'1, '.repeat(4_000)}1`,
  ])('a statement without columns of its own or without a plan is never prepared: %.40s', (text) => {
    expect(use(new FrequentStatements(), text, usesMin * 2)).toBeUndefined();
  });

  test('a statement that begins with a parenthesis is prepared like any other', () => {
    const union = '(select id from orders where a = $1) union all (select id from orders where b = $1)';
    expect(use(new FrequentStatements(), union, usesMin)).toBeDefined();
  });

  test.each(['select count(*) from orders', 'select 2 * 3', 'WITH a AS (select 1) select b from a'])(
    'a statement that only multiplies or counts is prepared: %s',
    (text) => {
      expect(use(new FrequentStatements(), text, usesMin)).toBeDefined();
    },
  );
});
