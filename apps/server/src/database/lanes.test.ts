import { describe, expect, test } from 'vitest';
import { connectionsAllowed, fitLanes, laneSizes, TooFewConnections } from './lanes.ts';
import { freshDatabase } from './test-database.ts';

describe('the sizes of the lanes', () => {
  test('lanes have their default sizes where the database allows it', () => {
    expect(fitLanes(97)).toBe(laneSizes);
    expect(fitLanes(49)).toBe(laneSizes);
  });

  test('lanes shrink in proportion and never exceed what the database allows', () => {
    for (let allowed = 12; allowed < 49; allowed += 1) {
      const sizes = fitLanes(allowed);
      const numbers = Object.values(sizes);
      expect(Math.min(...numbers), `${allowed}`).toBeGreaterThanOrEqual(2);
      const sum = numbers.reduce((total, size) => total + size, 0);
      expect(sum, `${allowed}`).toBeLessThanOrEqual(allowed);
      expect(sum, `${allowed}`).toBeGreaterThan(allowed - 6);
    }
  });

  test('a database that allows too few connections is refused with both numbers', () => {
    expect(() => fitLanes(11)).toThrow(TooFewConnections);
    expect(() => fitLanes(11)).toThrow('the database allows 11 connections; the server needs at least 12');
  });
});

describe('the connections that a database allows', () => {
  test('the allowed connections are those of the server without its reserve, or of the database where that has fewer', async () => {
    const { pool, url } = await freshDatabase();
    const { rows } = await pool.query<{ allowed: number; name: string }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed,
              current_database() as name`,
    );
    expect(await connectionsAllowed(url)).toBe(rows[0]?.allowed);
    await pool.query(`alter database ${rows[0]?.name} connection limit 9`);
    expect(await connectionsAllowed(url)).toBe(9);
  });
});
