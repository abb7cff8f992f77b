import type { FileId } from '@voltdeck/units/id';

/** The path below which public files are served. */
export const publicFilesPath = '/files';

/** The address of a public file. The name is for saving; the key alone finds it. */
export function fileUrl(file: { key: string; name: string }): string {
  return `${publicFilesPath}/${file.key}/${encodeURIComponent(file.name)}`;
}

/** The download address of a file that is not public. */
export function privateFileUrl(id: FileId): string {
  return `/api/files/${id}/content`;
}
