/** Flags for every Chromium of the tests: the same on every machine, and quiet on the network. */
export const chromiumFlags: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

/** Chromium's sandbox refuses to run as root, as in containers and CI. */
export const isSandboxed: boolean = process.getuid?.() !== 0;
