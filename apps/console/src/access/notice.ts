const noticeKey = 'voltdeck-notice';

/** Leaves a sentence for the sign-in page, across the load in between. */
export function leaveNotice(text: string): void {
  sessionStorage.setItem(noticeKey, text);
}

/** Takes the sentence away; it is shown once. */
export function takeNotice(): string | null {
  const text = sessionStorage.getItem(noticeKey);
  sessionStorage.removeItem(noticeKey);
  return text;
}
