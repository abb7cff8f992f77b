import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordFault } from './password-rule.ts';

const owner = { userName: 'zhang.wei', phone: '13812345678' };
const fault = (password: string) => passwordFault(password, owner);

describe('a password that is guessed first is refused', () => {
  test.each([
    ['one character', '888888'],
    ['a repeated piece', 'abcabc'],
    ['a repeated piece that is cut', '1231231'],
    ['digits upwards', '123456789'],
    ['digits downwards', '987654321'],
    ['the alphabet', 'abcdefg'],
    ['a row of the keyboard', 'QWERTY'],
    ['a row backwards', 'lkjhgf'],
    ['columns of the keyboard', '1qaz2wsx'],
    ['two runs', 'qwerty123'],
    ['letters and digits in turn', '1q2w3e4r'],
    ['a birthday', '19900214'],
    ['a short birthday', '900214'],
    ['a well-known word', 'password'],
    ['a well-known word with digits', 'Admin2024'],
    ['a well-known word with lookalikes', 'P@ssw0rd!'],
    ['the product', 'voltdeck1'],
    ['a number that says something', '5201314'],
    ['the own user name', 'Zhang.Wei'],
    ['the own user name with digits', 'zhang.wei88'],
    ['the own phone', '13812345678'],
    ['the end of the own phone', '345678'],
  ])('%s', (_, password) => {
    expect(fault(password)).toBe('password.too_common');
  });
});

test.each([
  'correct horse battery',
  'k7Gm2p',
  'staple-me-gently',
  '夏天的风很凉',
  'first-light-4711',
  'adminton grove',
])('%s will do', (password) => {
  expect(fault(password)).toBeNull();
});

test('what a generator makes is not refused', () => {
  const alphabet = [...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'];
  const made = fc.array(fc.constantFrom(...alphabet), { minLength: 16, maxLength: 16 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(made, (password) => {
      fc.pre(new Set(password).size > 4);
      return fault(password) === null;
    }),
  );
});
