import type { ErrorCode } from '@voltdeck/contract/errors';

/** Words that people build passwords from; digits and signs around one of them add nothing. */
const wellKnownWords: ReadonlySet<string> = new Set([
  'admin',
  'administrator',
  'charge',
  'charging',
  'default',
  'dragon',
  'guest',
  'hello',
  'iloveyou',
  'letmein',
  'login',
  'manager',
  'master',
  'monkey',
  'mima',
  'pass',
  'passwd',
  'password',
  'root',
  'secret',
  'sunshine',
  'system',
  'test',
  'user',
  'voltdeck',
  'welcome',
  'woaini',
  'zhny',
]);

/** What fingers run along: rows of the keyboard, its columns, the alphabet and the digits. */
const runs: readonly string[] = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '147258369',
  '741852963',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((run) => [run, [...run].reverse().join('')]);

const lookalikes: Readonly<Record<string, string>> = { '@': 'a', $: 's', '0': 'o', '1': 'l', '3': 'e', '5': 's' };

/** Numbers that stand for "I love you" and the like. */
const luckyNumbers: ReadonlySet<string> = new Set(['5201314', '1314520', '520520', '13145201', '1314521', '168168']);

/** A repeated piece up to this long is one keystroke's thought: "abcabcabc". */
const repeatedPieceMax = 4;

export type PasswordOwner = { userName: string; phone: string | null };

/**
 * Refuses what is guessed first: one piece repeated, runs of the keyboard or the alphabet, dates, well-known words with
 * digits around them, and the owner's own name or phone.
 * @returns the refusal's code, or null when the password will do.
 */
export function passwordFault(
  password: string,
  owner: PasswordOwner,
): Extract<ErrorCode, 'password.too_common'> | null {
  const text = password.toLowerCase();
  const isWeak =
    isRepetition(text) ||
    isRun(text) ||
    isDate(text) ||
    isWellKnown(text) ||
    luckyNumbers.has(text) ||
    names(text, owner);
  return isWeak ? 'password.too_common' : null;
}

function isRepetition(text: string): boolean {
  for (let length = 1; length <= repeatedPieceMax && length * 2 <= text.length; length += 1) {
    const piece = text.slice(0, length);
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

/** The whole text lies on one run, or is made of two halves that do: "123456", "qwerty123". */
function isRun(text: string): boolean {
  const lies = (part: string) => runs.some((run) => run.includes(part));
  if (lies(text)) return true;
  for (let cut = 3; cut <= text.length - 3; cut += 1) {
    if (lies(text.slice(0, cut)) && lies(text.slice(cut))) return true;
  }
  return false;
}

/** A birthday as six or eight digits, the year first or last. */
function isDate(text: string): boolean {
  const month = '(?:0[1-9]|1[0-2])';
  const day = '(?:0[1-9]|[12]\\d|3[01])';
  const year = '(?:19|20)?\\d{2}';
  return new RegExp(`^(?:${year}${month}${day}|${day}${month}${year}|${month}${day}${year})$`).test(text);
}

function isWellKnown(text: string): boolean {
  const bare = text.replaceAll(/^[^a-z]+|[^a-z@$]+$/g, '');
  const read = [...text.replaceAll(/[\d\W_]+$/g, '')].map((sign) => lookalikes[sign] ?? sign).join('');
  return [bare, read].some((word) => wellKnownWords.has(word) || (word !== '' && word.length >= 4 && isOnRun(word)));
}

function isOnRun(word: string): boolean {
  return runs.some((run) => run.includes(word));
}

function names(text: string, { userName, phone }: PasswordOwner): boolean {
  const own = userName.toLowerCase();
  const withoutEnds = text.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, '');
  if (text === own || text === [...own].reverse().join('') || (withoutEnds !== '' && withoutEnds === own)) return true;
  if (phone === null) return false;
  return text === phone || (text.length >= 6 && /^\d+$/.test(text) && phone.includes(text));
}
