import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** Certificate and private key, in PEM. */
export type Identity = { cert: string; key: string };

export type Authority = Identity & { issue(subject: { commonName: string; dnsNames?: readonly string[] }): Identity };

let serials = 0;

/** A certificate authority with its own key, valid from yesterday to tomorrow, and the certificates it issues. */
export function makeAuthority(commonName: string): Authority {
  const own = makeKeys();
  const sign = (subject: string, keys: ReturnType<typeof makeKeys>, extensions: object[]) => {
    const certificate = forge.pki.createCertificate();
    serials += 1;
    certificate.serialNumber = serials.toString(16).padStart(2, '0');
    certificate.publicKey = keys.publicKey;
    certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
    certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
    certificate.setSubject([{ name: 'commonName', value: subject }]);
    certificate.setIssuer([{ name: 'commonName', value: commonName }]);
    certificate.setExtensions(extensions);
    certificate.sign(own.privateKey, forge.md.sha256.create());
    return { cert: forge.pki.certificateToPem(certificate), key: keys.pem };
  };
  return {
    ...sign(commonName, own, [{ name: 'basicConstraints', cA: true, critical: true }]),
    issue({ commonName: subject, dnsNames = [] }) {
      const altNames = dnsNames.map((value) => ({ type: 2, value }));
      return sign(subject, makeKeys(), altNames.length === 0 ? [] : [{ name: 'subjectAltName', altNames }]);
    },
  };
}

function makeKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    pem: privateKey,
    privateKey: forge.pki.privateKeyFromPem(privateKey),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  };
}
