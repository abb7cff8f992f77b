/** The path below which public files are served. */
export const publicFilesPath = '/files';

/** The address of a public file. The name is for saving; the key alone finds it. */
export function fileUrl(file: { key: string; name: string }): string {
  return `${publicFilesPath}/${file.key}/${encodeURIComponent(file.name)}`;
}
