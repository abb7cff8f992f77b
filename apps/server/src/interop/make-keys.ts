import { randomInt } from 'node:crypto';
import type { GivenKeys } from '@voltdeck/contract/partners';
import { dataSecretChars, type PartnerKeys } from '@voltdeck/tcec102/envelope';

/** Letters and digits that are not taken for one another when a key is read out: no 0, O, 1, l and I. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 186 bits: more than the signature's 128. */
const secretChars = 32;

/** The four keys of a direction: those that were entered, the others from the system's random source. */
export function completedKeys(given: GivenKeys | undefined): PartnerKeys {
  return {
    operatorSecret: given?.operatorSecret ?? randomText(secretChars),
    sigSecret: given?.sigSecret ?? randomText(secretChars),
    dataSecret: given?.dataSecret ?? randomText(dataSecretChars),
    dataSecretIv: given?.dataSecretIv ?? randomText(dataSecretChars),
  };
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
