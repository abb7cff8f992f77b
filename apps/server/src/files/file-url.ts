/** The name of the folder below which public files are served. */
export const publicFilesPath = '/files';

/** Where a public file is served from. The name is for whoever saves it; the key alone finds it. */
export function fileUrl(file: { key: string; name: string }): string {
  return `${publicFilesPath}/${file.key}/${encodeURIComponent(file.name)}`;
}
