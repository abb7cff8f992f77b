/**
 * Stores a text that the console can do without. The browser refuses when its storage is full, which must not stop what
 * the user is doing.
 */
export function keepText(storage: Pick<Storage, 'setItem'>, key: string, text: string): void {
  try {
    storage.setItem(key, text);
  } catch (failure) {
    console.warn(failure);
  }
}
