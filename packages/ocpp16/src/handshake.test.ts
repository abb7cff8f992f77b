import { describe, expect, test } from 'vitest';
import { checkPasswordForms, chooseSubprotocol } from './handshake.ts';

describe('chooseSubprotocol (OCTT TC_088)', () => {
  test.each([
    ['ocpp1.6', 'ocpp1.6'],
    ['ocpp2.0.1, ocpp1.6', 'ocpp1.6'],
    ['ocpp1.6,ocpp1.5', 'ocpp1.6'],
    ['ocpp2.0.1', null],
    ['OCPP1.6', null],
    ['ocpp1.66', null],
    ['', null],
    [undefined, null],
    [`${'x,'.repeat(600)}ocpp1.6`, null],
  ])('chooseSubprotocol chooses, from %s, %s', (offered, chosen) => {
    expect(chooseSubprotocol(offered)).toBe(chosen);
  });

  test('chooseSubprotocol accepts the names in any iterable', () => {
    expect(chooseSubprotocol(new Set(['ocpp2.1', 'ocpp1.6']))).toBe('ocpp1.6');
  });
});

describe('checkPasswordForms', () => {
  const plain = '0123456789abcdefghij';
  const hex = '303132333435363738396162636465666768696a';

  test('a password set as text and sent in hexadecimal is among the forms', () => {
    expect(checkPasswordForms(hex)).toContain(plain);
  });

  test('a password set in hexadecimal and sent decoded is among the forms, in either case', () => {
    expect(checkPasswordForms(plain)).toEqual([plain, hex.toUpperCase(), hex]);
  });

  test('the presented password comes first and no form twice', () => {
    expect(checkPasswordForms(hex)[0]).toBe(hex);
    const digitsOnly = '3'.repeat(40);
    expect(checkPasswordForms(digitsOnly)).toEqual([digitsOnly, '3'.repeat(20)]);
  });

  test('a password of bytes that are not text survives', () => {
    const bytes = '\u0000\u00ff'.repeat(8);
    expect(checkPasswordForms(bytes)).toContain('00ff'.repeat(8));
    expect(checkPasswordForms('00FF'.repeat(8))).toContain(bytes);
  });

  test('a password of another length is compared unchanged', () => {
    expect(checkPasswordForms('short')).toEqual(['short']);
    expect(checkPasswordForms('\u4e2d'.repeat(16))).toEqual(['\u4e2d'.repeat(16)]);
  });

  test('an empty or far too long password is not compared at all', () => {
    expect(checkPasswordForms('')).toEqual([]);
    expect(checkPasswordForms('x'.repeat(65))).toEqual([]);
  });
});
