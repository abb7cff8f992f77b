import dayjs from 'dayjs';

/** What was typed into a form that has not been sent yet, as it outlives a reload of the window. */
export type Draft = { values: Readonly<Record<string, unknown>>; at: string };

const prefix = 'voltdeck-draft';
/** A text longer than this is not kept: the browser's room is small, and everybody's. */
export const draftLengthMax = 200_000;

/** Values under such names never leave the form. */
const secretName = /password|secret|token|captcha|private|credential/i;

const instantMark = '$instant';

type Kept = string | number | boolean | null | { [name: string]: Kept } | Kept[];

/** A value as it can be written, or undefined for what cannot or must not be. */
function kept(value: unknown): Kept | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => kept(item) ?? null);
  if (dayjs.isDayjs(value)) return value.isValid() ? { [instantMark]: value.toISOString() } : undefined;
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const entries = Object.entries(value).flatMap(([name, part]): [string, Kept][] => {
    const written = secretName.test(name) ? undefined : kept(part);
    return written === undefined ? [] : [[name, written]];
  });
  return Object.fromEntries(entries);
}

function revived(value: Kept): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const instant = value[instantMark];
  if (typeof instant === 'string') return dayjs(instant);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revived(part)]));
}

/** The text of a draft without passwords, files and whatever else cannot be written; null when it is too long. */
export function draftAsText(values: object, at: string): string | null {
  const text = JSON.stringify({ at, values: kept({ ...values }) });
  return text.length > draftLengthMax ? null : text;
}

/** The draft that a text holds, or null. */
export function draftFromText(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const found = JSON.parse(text) as { at?: unknown; values?: Kept } | null;
    if (typeof found?.at !== 'string' || typeof found.values !== 'object' || found.values === null) return null;
    return { at: found.at, values: revived(found.values) as Draft['values'] };
  } catch {
    // Somebody else's text under our key says nothing.
    return null;
  }
}

const placeOf = (userId: number, draftKey: string) => `${prefix} ${userId} ${draftKey}`;

/** Keeps what stands in a form of this window; another person who signs in here never sees it. */
export function keepDraft(userId: number, draftKey: string, values: object): void {
  const text = draftAsText(values, new Date().toISOString());
  try {
    if (text !== null) sessionStorage.setItem(placeOf(userId, draftKey), text);
  } catch (failure) {
    // The browser's room is full: the form works on, it only cannot be brought back.
    console.warn(failure);
  }
}

export function readDraft(userId: number, draftKey: string): Draft | null {
  return draftFromText(sessionStorage.getItem(placeOf(userId, draftKey)));
}

export function dropDraft(userId: number, draftKey: string): void {
  sessionStorage.removeItem(placeOf(userId, draftKey));
}

/** Forgets every draft of this window. */
export function forgetDrafts(): void {
  for (const place of Object.keys(sessionStorage)) {
    if (place.startsWith(`${prefix} `)) sessionStorage.removeItem(place);
  }
}
