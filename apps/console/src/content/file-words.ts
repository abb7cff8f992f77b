import type { StoredFile } from '@voltdeck/contract/files';
import { phrase } from '../phrases.ts';

const pictureFormats: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
};

/** The name of a kind of document, by a part of its content type. */
const documentWords = [
  [/pdf/, 'file-type.pdf'],
  [/msword|wordprocessingml|opendocument\.text/, 'file-type.word'],
  [/ms-excel|spreadsheetml|opendocument\.spreadsheet|text\/csv/, 'file-type.excel'],
  [/ms-powerpoint|presentationml|opendocument\.presentation/, 'file-type.slides'],
  [/zip|rar|7z|gzip|tar/, 'file-type.archive'],
  [/^video\//, 'file-type.video'],
  [/^audio\//, 'file-type.audio'],
  [/^text\//, 'file-type.text'],
] as const;

const extensionMax = 8;

/** "PDF document", "JPG picture": from the content type, or else the file name. */
export function typeText({ contentType, name }: Pick<StoredFile, 'contentType' | 'name'>): string {
  const picture = pictureFormats[contentType];
  if (picture !== undefined) return phrase('file-type.picture', { format: picture });
  const known = documentWords.find(([pattern]) => pattern.test(contentType));
  if (known !== undefined) return phrase(known[1]);
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1];
  return extension === undefined || extension.length > extensionMax
    ? phrase('file-type.unknown')
    : phrase('file-type.other', { format: extension.toUpperCase() });
}

/** Whether browsers show it as a picture. */
export function isPicture({ contentType }: Pick<StoredFile, 'contentType'>): boolean {
  return pictureFormats[contentType] !== undefined;
}
