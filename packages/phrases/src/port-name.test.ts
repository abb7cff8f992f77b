import { expect, test } from 'vitest';
import { list as en } from './en/list.ts';
import { fill, type PhraseParams } from './phrase.ts';
import { portName } from './port-name.ts';
import { list as zh } from './zh-CN/list.ts';

const sayIn =
  (texts: Readonly<Record<'port.numbered' | 'port.named', string>>) =>
  (key: 'port.numbered' | 'port.named', params: PhraseParams) =>
    fill(texts[key], params);

test('a gun port is named by its number, with a name of its own in brackets', () => {
  expect(portName(sayIn(zh), { number: 1 })).toBe('1 号枪');
  expect(portName(sayIn(zh), { number: 1, name: '1' })).toBe('1 号枪');
  expect(portName(sayIn(zh), { number: 1, name: 'A枪' })).toBe('1 号枪（A枪）');
  expect(portName(sayIn(en), { number: 2, name: 'near the lift' })).toBe('Port 2 (near the lift)');
});
