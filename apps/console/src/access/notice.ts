import { keepText } from '../keep-text.ts';

const noticeKey = 'voltdeck-notice';

/** Keeps a sentence for the sign-in page across the page load. */
export function leaveNotice(text: string): void {
  keepText(sessionStorage, noticeKey, text);
}

/** Returns the sentence and forgets it, so it is shown once. */
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(noticeKey);
  sessionStorage.removeItem(noticeKey);
  return text;
}
