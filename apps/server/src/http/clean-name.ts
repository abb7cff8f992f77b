/** Characters of a file's name. */
export const fileNameMax = 120;
const nameless = 'file';

/**
 * Makes a sender's file name fit to show and to save under: no folders, no invisible characters that turn text around
 * (an "exe" that reads "fdp.exe" backwards), no names reserved by a system, and not too long. It is never used as a
 * path.
 */
export function cleanName(given: string): string {
  const visible = given
    .toWellFormed()
    .normalize('NFC')
    // Cc, Cf (bidirectional marks, joiners, tags), Co, Cn; line and paragraph separators.
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  const { stem, extension } = partsOf(visible);
  const isKeptBySystem = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem);
  const room = fileNameMax - [...extension].length;
  const short = [...(isKeptBySystem || stem === '' ? `${nameless}${stem}` : stem)]
    .slice(0, room)
    .join('')
    .replace(/[. ]+$/, '');
  return `${short}${extension}`;
}

/** Endings of the pictures that are shown, the usual one first. */
const pictureEndings: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
};

/** A clean name, for a picture with the ending of its type: "photo.php" becomes "photo.php.png". */
export function nameFor(contentType: string, given: string): string {
  const name = cleanName(given);
  const endings = pictureEndings[contentType];
  if (endings === undefined || endings.includes(partsOf(name).extension.slice(1).toLowerCase())) return name;
  const ending = `.${endings[0]}`;
  return `${[...name].slice(0, fileNameMax - ending.length).join('')}${ending}`;
}

function partsOf(name: string): { stem: string; extension: string } {
  const match = /^(.*)(\.[A-Za-z0-9]{1,10})$/su.exec(name);
  return { stem: match?.[1] ?? name, extension: match?.[2] ?? '' };
}
