import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordFault } from './password-rule.ts';

const owner = { userName: 'zhang.wei', phone: '13812345678' };
const fault = (password: string) => passwordFault(password, owner);

describe('a password among the first guesses is refused', () => {
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

/** The commonest leaked passwords of six or more characters, Chinese ones included. */
const leaked = [
  '123456 123456789 qwerty password 111111 12345678 abc123 1234567 password1 12345678910 123123 000000 iloveyou',
  '1234567890 qwerty123 1q2w3e4r5t 654321 monkey 123321 dragon 666666 1qaz2wsx 121212 987654321 qwertyuiop 112233',
  'princess 123qwe sunshine football 1q2w3e4r baseball shadow superman 159753 michael a123456 jordan23 trustno1',
  'welcome charlie aa123456 donald password123 qwerty1 master hello123 freedom whatever qazwsx 696969 letmein',
  'starwars passw0rd zaq1zaq1 1234qwer asdfghjkl asdf1234 loveme hunter2 ashley bailey access14 mustang batman',
  '555555 7777777 88888888 zxcvbnm 222222 q1w2e3r4t5 789456123 123654 147258369 1g2w3e4r gwerty g_czechout 5201314',
  'woaini1314 wang123 a123456789 qq123456 asd123456 123456qq 123456abc abcd1234 a12345678 zxc123 1qazxsw2 q123456',
  'woaini520 110110 a5201314 1314520 123456a 123456aa aini1314 147852369 123123123 admin123 root123 test123',
  'changeme 1234abcd P@ssw0rd Passw0rd! Qwer1234 admin888 888888 asdasd 12341234 qweqwe 159357 computer internet',
  'michelle jessica pepper ginger summer2024 Winter2023! Spring2025 abc12345 a1b2c3d4 1a2b3c4d 102030 121314 131313',
  '232323 101010 samsung liverpool chelsea arsenal pokemon naruto',
].flatMap((line) => line.split(' '));

test('all of the commonest leaked passwords are refused', () => {
  expect(leaked.filter((password) => passwordFault(password, { userName: 'x', phone: null }) === null)).toEqual([]);
});

test.each([
  'correct horse battery',
  'k7Gm2p',
  'staple-me-gently',
  '夏天的风很凉',
  'first-light-4711',
  'adminton grove',
  'monkeypuzzle tree',
  'ab7391',
  'sunshinebakery',
])('%s is accepted', (password) => {
  expect(fault(password)).toBeNull();
});

test('generated passwords are accepted', () => {
  const alphabet = [...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'];
  const made = fc.array(fc.constantFrom(...alphabet), { minLength: 16, maxLength: 16 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(made, (password) => {
      fc.pre(new Set(password).size > 4);
      return fault(password) === null;
    }),
  );
});
