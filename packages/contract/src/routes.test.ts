import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { cardNumberField, phoneField } from './fields.ts';
import { listOrders } from './orders.ts';
import { routes } from './routes.ts';

describe('the contract', () => {
  test('no two routes share a method and a path', () => {
    const places = [...routes.values()].map((route) => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places.length).toBeGreaterThan(40);
  });

  test('every answer can be described as JSON Schema', () => {
    for (const route of routes.values()) {
      expect(() => z.toJSONSchema(route.answer, { unrepresentable: 'any', io: 'output' })).not.toThrow();
    }
  });

  test('a list query is parsed from text', () => {
    const query = listOrders.query;
    if (query === undefined) throw new Error('no query');
    expect(z.parse(query, { page: '2', state: 'charging,settling', abnormal: 'true', siteId: '7' })).toEqual({
      page: 2,
      pageSize: 20,
      state: ['charging', 'settling'],
      abnormal: true,
      siteId: 7,
    });
    expect(z.safeParse(query, { state: 'nonsense' }).success).toBe(false);
    expect(z.safeParse(query, { pageSize: '1000' }).success).toBe(false);
  });

  test('phone faults are distinguished: digits first, then the length (section 5)', () => {
    const codes = (text: string) => z.safeParse(phoneField, text).error?.issues.map((issue) => issue.message);
    expect(codes('1380000000x')).toEqual(['phone_digits']);
    expect(codes('138')).toEqual(['phone_length']);
    expect(z.parse(phoneField, ' 13800000000 ')).toBe('13800000000');
  });

  test('a card number is 16 of 0-9 A-F, and small letters are accepted (section 5)', () => {
    expect(z.parse(cardNumberField, 'a1b2c3d4e5f60718')).toBe('A1B2C3D4E5F60718');
    expect(z.safeParse(cardNumberField, 'G1B2C3D4E5F60718').error?.issues[0]?.message).toBe('card_number');
  });
});
