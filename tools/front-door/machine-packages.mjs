import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say } from './terminal.mjs';

const lockWaitSeconds = 300;
/** Debian's Chromium without windows: a fifth less work for the tests, and a much smaller installation. */
const shell = 'chromium-headless-shell';

/**
 * This machine's Chromium (or Chrome); null if there is none. CHROME_PATH overrides it.
 * @returns {string | null}
 */
export function findChromium() {
  const given = process.env.CHROME_PATH;
  if (given) return existsSync(given) ? given : null;
  const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const elsewhere = [
    `/usr/bin/${shell}`,
    '/usr/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return [...onPath, ...elsewhere].find((path) => existsSync(path)) ?? null;
}

/** Whether Chinese text is drawn as characters rather than boxes. macOS and Windows have such a font. */
function hasChineseFont() {
  if (process.platform !== 'linux') return true;
  if (existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc')) return true;
  const listed = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return listed.status === 0 && listed.stdout.trim() !== '';
}

/**
 * Installs the browser and the Chinese font for the browser tests, if apt and the necessary rights are available.
 * @returns {string | null} what is missing and what to do, in one line; null when nothing is.
 */
export function installMachinePackages() {
  const fonts = hasChineseFont() ? [] : ['fonts-noto-cjk'];
  const missing = [...(findChromium() === null ? [shell] : []), ...fonts];
  if (missing.length === 0) return null;
  const byHand = `Missing on this machine: ${missing.join(' and ')}.`;
  if (spawnSync('apt-get', ['--version']).status !== 0) {
    return `${byHand} Install Chrome or Chromium and a Chinese font, or set CHROME_PATH.`;
  }
  const asRoot = rootPrefix();
  if (asRoot === null) return `${byHand} Run: sudo apt-get install ${missing.join(' ')}`;
  say(`Installing ${missing.join(' and ')} with apt.`);
  const install = (packages) => apt(asRoot, ['install', '--yes', '--no-install-recommends', ...packages]);
  let settled = install(missing);
  // The package lists may be missing or outdated: fetch them and try once more.
  if (settled.status !== 0 && apt(asRoot, ['update']).status === 0) settled = install(missing);
  // Not every system has the shell as a package of its own.
  if (settled.status !== 0 && missing.includes(shell)) settled = install(['chromium', ...fonts]);
  if (settled.status === 0) return null;
  const reason = settled.stderr.trim().split('\n').at(-1) ?? '';
  return `${byHand} apt-get could not install them (${reason}).`;
}

function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
}

function apt(asRoot, args) {
  const [program, ...rest] = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '--quiet=2',
    '--option',
    `DPkg::Lock::Timeout=${lockWaitSeconds}`,
    ...args,
  ];
  return spawnSync(program, rest, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 30 * 60_000 });
}
