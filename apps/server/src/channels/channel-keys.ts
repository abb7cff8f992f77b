import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type Instant, instant, shanghaiDate } from '@voltdeck/units/instant';

/** A key that the settings name cannot be used: the start fails, rather than the first payment. */
export class UnusableChannelKey extends Error {
  constructor(setting: string, because: string) {
    super(`${setting} cannot be used: ${because}`);
  }
}

/** Both channels sign with RSA and SHA-256, and take no shorter keys. */
const rsaBitsMin = 2_048;

/**
 * Checks what the file of a setting holds: a private key.
 * @throws UnusableChannelKey for anything but an RSA key of 2048 bits or more.
 */
export function checkPrivateKey(setting: string, text: string): KeyObject {
  return rsaOf(
    setting,
    parsed(setting, 'a private key', () => privateKeyOf(text)),
  );
}

/** As `checkPrivateKey` for a public key, which is neither the private key nor a certificate. */
export function checkPublicKey(setting: string, text: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new UnusableChannelKey(setting, 'its file holds a private key, where a public key is needed');
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new UnusableChannelKey(setting, 'its file holds a certificate, where a public key is needed');
  }
  return rsaOf(
    setting,
    parsed(setting, 'a public key', () => publicKeyOf(text)),
  );
}

/**
 * As `checkPrivateKey` for a certificate.
 * @throws UnusableChannelKey too where it is not valid at `at`.
 */
export function checkCertificate(setting: string, text: string, at: Instant): KeyObject {
  const certificate = parsed(setting, 'a certificate', () => new X509Certificate(text));
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (at < from) throw new UnusableChannelKey(setting, `it is valid from ${shanghaiDate(instant(from))} on`);
  if (at > to) throw new UnusableChannelKey(setting, `it expired on ${shanghaiDate(instant(to))}`);
  return rsaOf(setting, certificate.publicKey);
}

/** @throws UnusableChannelKey for a public key that does not belong to the private key. */
export function checkPair(setting: string, publicKey: KeyObject, privateKey: KeyObject): void {
  if (isPair(publicKey, privateKey)) return;
  throw new UnusableChannelKey(setting, 'it does not belong to the private key');
}

/** @throws UnusableChannelKey for the public half of our own key, where the other side's is needed. */
export function checkOthers(setting: string, publicKey: KeyObject, privateKey: KeyObject): void {
  if (!isPair(publicKey, privateKey)) return;
  throw new UnusableChannelKey(
    setting,
    'it belongs to the private key of this side, where the key of the channel is needed',
  );
}

function isPair(publicKey: KeyObject, privateKey: KeyObject): boolean {
  return createPublicKey(privateKey).equals(publicKey);
}

function rsaOf(setting: string, key: KeyObject): KeyObject {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType === 'rsa' && bits >= rsaBitsMin) return key;
  const is =
    key.asymmetricKeyType === 'rsa' ? `an RSA key of ${bits} bits` : `a key of the kind ${key.asymmetricKeyType}`;
  throw new UnusableChannelKey(setting, `it is ${is}, where RSA of at least ${rsaBitsMin} bits is needed`);
}

function parsed<Parsed>(setting: string, what: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new UnusableChannelKey(setting, `its file does not hold ${what} (${because})`);
  }
}

/** Alipay's tools write keys with and without their lines of PEM, in either form. */
export function privateKeyOf(text: string): KeyObject {
  if (text.includes('-----')) return createPrivateKey(text);
  const der = Buffer.from(text, 'base64');
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs1' });
  }
}

export function publicKeyOf(text: string): KeyObject {
  if (text.includes('-----')) return createPublicKey(text);
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}
