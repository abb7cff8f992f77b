const pattern = /^data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/=\s]+)$/i;

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** The picture in a data: address as a file to upload, or null if there is no readable one. */
export function pictureOfDataAddress(address: string, name: string): File | null {
  const [, type, text] = pattern.exec(address.trim()) ?? [];
  if (type === undefined || text === undefined) return null;
  let bytes: string;
  try {
    bytes = atob(text.replaceAll(/\s/g, ''));
  } catch {
    return null;
  }
  const kind = type.toLowerCase();
  return new File([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], `${name}.${extensions[kind] ?? 'bin'}`, {
    type: kind,
  });
}
