import { type FilePurpose, fileRules } from '@voltdeck/contract/files';
import { phrase } from '../../phrases.ts';

const megabyte = 1024 * 1024;

const formatNames: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
};

/** "5", or "0.5" for 500 kB: the N of the message that names the limit. */
export function megabytesText(bytes: number): string {
  return String(Math.round((bytes / megabyte) * 10) / 10);
}

/** "JPG, PNG", or null if every type is accepted. */
export function typesText(purpose: FilePurpose): string | null {
  return fileRules[purpose].types?.map((type) => formatNames[type] ?? type).join(phrase('list.comma')) ?? null;
}

/** The accept attribute of a file input; undefined for everything. */
export function acceptOf(purpose: FilePurpose): string | undefined {
  return fileRules[purpose].types?.join(',');
}

/**
 * Why a file would be refused, in words, or null. The server checks the content as well; if the browser does not know
 * the type, it decides alone.
 */
export function fileFault(file: { readonly type: string; readonly size: number }, purpose: FilePurpose): string | null {
  const { types, bytesMax } = fileRules[purpose];
  const accepted: readonly string[] | null = types;
  if (accepted !== null && file.type !== '' && !accepted.includes(file.type)) {
    return phrase('error.file.wrong_type', { types: typesText(purpose) ?? '' });
  }
  if (file.size > bytesMax) return phrase('error.file.too_large', { max: megabytesText(bytesMax) });
  return file.size === 0 ? phrase('error.file.unreadable') : null;
}
