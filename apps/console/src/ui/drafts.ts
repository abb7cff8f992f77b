import dayjs from 'dayjs';

/** Input of a form that has not been sent, stored across reloads of the window. */
export type Draft = {
  values: Values;
  /** The initial values that it was typed over; null where they were not stored. */
  began: Values | null;
  at: string;
};
type Values = Readonly<Record<string, unknown>>;

const prefix = 'voltdeck-draft';
/** Longer drafts are not stored: the browser's storage is small and shared. */
export const draftLengthMax = 200_000;

/** Values under such names are never stored. */
const secretName = /password|secret|token|captcha|private|credential/i;

const instantMark = '$instant';

type Kept = string | number | boolean | null | { [name: string]: Kept } | Kept[];

/** A value in serialisable form, or undefined if it cannot or must not be stored. */
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

/** A draft as text, without passwords, files and whatever else cannot be serialised; null when it is too long. */
export function draftAsText(values: object, at: string, began: object | null = null): string | null {
  const text = JSON.stringify({ at, values: kept({ ...values }), began: began === null ? null : kept({ ...began }) });
  return text.length > draftLengthMax ? null : text;
}

/** Parses a draft; null if it is not one. */
export function draftFromText(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const found = JSON.parse(text) as { at?: unknown; values?: Kept; began?: Kept } | null;
    if (typeof found?.at !== 'string' || typeof found.values !== 'object' || found.values === null) return null;
    const began = typeof found.began === 'object' && found.began !== null ? (revived(found.began) as Values) : null;
    return { at: found.at, values: revived(found.values) as Values, began };
  } catch {
    // Unreadable text under our key counts as nothing stored.
    return null;
  }
}

const placeOf = (userId: number, draftKey: string) => `${prefix} ${userId} ${draftKey}`;

/** Stores a form's input for this window; it is never shown to another user who signs in here. */
export function keepDraft(userId: number, draftKey: string, values: object, began: object | null = null): void {
  const text = draftAsText(values, new Date().toISOString(), began);
  try {
    if (text !== null) sessionStorage.setItem(placeOf(userId, draftKey), text);
  } catch (failure) {
    // The browser's storage is full: the form still works, but cannot be restored.
    console.warn(failure);
  }
}

export function readDraft(userId: number, draftKey: string): Draft | null {
  return draftFromText(sessionStorage.getItem(placeOf(userId, draftKey)));
}

export function dropDraft(userId: number, draftKey: string): void {
  sessionStorage.removeItem(placeOf(userId, draftKey));
}

/** Deletes every draft of this window. */
export function forgetDrafts(): void {
  for (const place of Object.keys(sessionStorage)) {
    if (place.startsWith(`${prefix} `)) sessionStorage.removeItem(place);
  }
}
