import { randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const length = 16;

/** Sixteen characters without look-alikes, as it is read out or typed from a slip of paper: 93 random bits. */
export function newInitialPassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
