/** The pure part of what the gateway decides before there is a connection. */

/** The WebSocket subprotocol of OCPP-J 1.6 (section 3.1.2). */
export const subprotocol = 'ocpp1.6';

/** A header longer than this is not a list of protocols. */
const offeredCharsMax = 1_024;

/**
 * The subprotocol to answer with, or null to refuse the upgrade with 400 (OCTT TC_088).
 * `offered` is the header Sec-WebSocket-Protocol or its names, which are compared exactly (RFC 6455, 4.1).
 */
export function chooseSubprotocol(offered: string | Iterable<string> | undefined): typeof subprotocol | null {
  if (offered === undefined) return null;
  const names = typeof offered === 'string' ? offered.slice(0, offeredCharsMax).split(',') : offered;
  for (const name of names) if (name.trim() === subprotocol) return subprotocol;
  return null;
}

/** A station's password has 16 to 20 bytes (security whitepaper, AuthorizationKey), or is those in hexadecimal. */
export const passwordBytes = { min: 16, max: 20 } as const;
const passwordCharsMax = 64;
const hexPassword = /^(?:[0-9a-f]{2}){16,20}$/i;

/**
 * The forms in which a presented password may have been stored, to compare with the stored hash, most likely first: as
 * presented; decoded, when it is hexadecimal; encoded, when the station decoded what it was given. `presented` has one
 * character per byte (the header's base64 decoded as latin1). Empty when it cannot be a password.
 */
export function checkPasswordForms(presented: string): readonly string[] {
  if (presented.length === 0 || presented.length > passwordCharsMax) return [];
  if (hexPassword.test(presented)) {
    const forms = [presented, decodeHex(presented), presented.toUpperCase(), presented.toLowerCase()];
    return [...new Set(forms)];
  }
  if (presented.length >= passwordBytes.min && presented.length <= passwordBytes.max) {
    const encoded = encodeHex(presented);
    return encoded === null ? [presented] : [presented, encoded.toUpperCase(), encoded];
  }
  return [presented];
}

function decodeHex(hex: string): string {
  let text = '';
  for (let at = 0; at < hex.length; at += 2) text += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  return text;
}

function encodeHex(bytes: string): string | null {
  let hex = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at);
    if (code > 0xff) return null;
    hex += code.toString(16).padStart(2, '0');
  }
  return hex;
}
