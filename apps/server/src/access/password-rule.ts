import type { ErrorCode } from '@voltdeck/contract/errors';

/**
 * Words that people build passwords from, those that lead the lists of leaked passwords (Pwned Passwords, RockYou and
 * the yearly lists); digits and signs around one of them add nothing.
 */
const wellKnownWords: ReadonlySet<string> = new Set(
  [
    'access account admin administrator alexander alibaba amanda andrea andrew angel angels anthony arsenal ashley',
    'asshole baby babygirl bailey banana barcelona baseball basketball batman beautiful biteme blessed buster',
    'butterfly cameron changeit changeme charge charging charlie cheese chelsea chocolate cisco computer cookie',
    'corvette dallas daniel default diamond dolphin dragon elizabeth eminem family ferrari flower football forever',
    'freedom friends fuckyou gemini george gfhjkm ginger golden google guest hannah harley heather hello hockey',
    'hunter iloveu iloveyou internet jasmine jennifer jessica jordan joshua junior justin killer lakers letmein',
    'liverpool login love lovely loveme madison maggie manager marina martin master matrix matthew melissa mercedes',
    'merlin michael michelle mima mustang naruto nicole nimda oracle orange pakistan pass passwd password patrick',
    'peanut pepper pokemon porsche prince princess purple ranger robert root samantha samsung secret secure shadow',
    'silver slipknot soccer soleil sparky spiderman starwars steelers summer sunflower sunshine superman superuser',
    'system taobao taylor tennessee test thomas thunder tigger toor trustno user victoria voltdeck wang welcome',
    'whatever william winner winter woaini woaiwojia xiaoming yamaha yankees yellow zhang zhny zxcvb',
    'aini autumn g_czechout donald gwerty monkey spring',
  ].flatMap((line) => line.split(' ')),
);

/** Sequences that fingers follow: rows and columns of the keyboard, the alphabet and the digits. */
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
  'q1w2e3r4t5y6u7i8o9p0',
  'zaq12wsxcde34rfvbgt56yhnmju78ik',
  'a1b2c3d4e5f6g7h8i9',
  '1a2b3c4d5e6f7g8h9i',
  '12345678910',
  '1g2w3e4r5t',
  '00112233445566778899',
  '102030405060708090',
  '147852369',
  '789456123',
  '123698745',
  '159357',
  '753951',
].flatMap((run) => [run, [...run].reverse().join('')]);

const lookalikes: Readonly<Record<string, string>> = { '@': 'a', $: 's', '0': 'o', '1': 'l', '3': 'e', '5': 's' };

/** Numbers that stand for "I love you" and the like. */
const luckyNumbers: ReadonlySet<string> = new Set(['5201314', '1314520', '520520', '13145201', '1314521', '168168']);

/** A repeated piece up to this long takes no thought: "abcabcabc". */
const repeatedPieceMax = 4;

export type PasswordOwner = { userName: string; phone: string | null };

/**
 * Refuses the first guesses: one piece repeated, runs of the keyboard or the alphabet, dates, well-known words with
 * digits around them, and the owner's own name or phone.
 * @returns the refusal's code, or null when the password is acceptable.
 */
export function passwordFault(
  password: string,
  owner: PasswordOwner,
): Extract<ErrorCode, 'password.too_common'> | null {
  const text = password.toLowerCase();
  const isWeak =
    isRepetition(text) ||
    isRun(text) ||
    isRunWithInitials(text) ||
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

/** The whole text lies on one run, or consists of two halves that do: "123456", "qwerty123". */
function isRun(text: string): boolean {
  const lies = (part: string) => runs.some((run) => run.includes(part));
  if (lies(text)) return true;
  for (let cut = 3; cut <= text.length - 3; cut += 1) {
    if (lies(text.slice(0, cut)) && lies(text.slice(cut))) return true;
  }
  return false;
}

/** Digits in a run with an initial or two beside them: "a123456", "123456qq", "zhw520520". */
function isRunWithInitials(text: string): boolean {
  const digits = /^(?:[a-z]{1,3}(\d{4,})|(\d{4,})[a-z]{1,3})$/.exec(text);
  const run = digits?.[1] ?? digits?.[2] ?? '';
  return run !== '' && (isRun(run) || isRepetition(run) || luckyNumbers.has(run));
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
  return [bare, read].some(
    (word) => wellKnownWords.has(word) || (word !== '' && word.length >= 4 && isKeyboardRun(word)),
  );
}

function isKeyboardRun(word: string): boolean {
  return runs.some((run) => run.includes(word));
}

function names(text: string, { userName, phone }: PasswordOwner): boolean {
  const own = userName.toLowerCase();
  const withoutEnds = text.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, '');
  if (text === own || text === [...own].reverse().join('') || (withoutEnds !== '' && withoutEnds === own)) return true;
  if (phone === null) return false;
  return text === phone || (text.length >= 6 && /^\d+$/.test(text) && phone.includes(text));
}
