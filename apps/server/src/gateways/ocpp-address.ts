const stationNumberMax = 48;

/** Where OCPP-J stations connect, in any case; some chargers add a slash before or after their number. */
const address = /^\/+ocpp\/+([^/]+)\/*$/i;

/** Whether a path is meant for the gateway, even if it names no station. */
export function isOcppPath(url: string): boolean {
  return /^\/+ocpp(\/|\?|$)/i.test(url);
}

/** The identity in `/ocpp/{identity}`, percent-decoded (OCPP-J 1.6, section 3.1.1); null when it cannot be one. */
export function stationNumberOf(url: string): string | null {
  const encoded = address.exec(url.split('?', 1)[0] ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    const number = decodeURIComponent(encoded);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    return number.length <= stationNumberMax && !/[\u0000-\u001f\u007f]/.test(number) ? number : null;
  } catch {
    return null;
  }
}
