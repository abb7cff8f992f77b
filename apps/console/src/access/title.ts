import type { getConfigByKey } from '@voltdeck/contract/access';
import { addressOf } from '../api/address.ts';
import { send } from '../api/send.ts';
import { phrase } from '../phrases.ts';

const configPath: (typeof getConfigByKey)['path'] = '/sysConfig/getInfoByKey';
/** Specification section 2: the application's name is a configuration value. */
const titleConfigKey = 'sys_title';

let application: string | null = null;
let page: string | null = null;

function write(): void {
  const name = application ?? phrase('access.product');
  document.title = page === null ? name : `${page} - ${name}`;
}

/** The page's own part of the window title. */
export function showPageTitle(title: string | null): void {
  page = title;
  write();
}

/** The name of the application as configured; null until the answer comes and when none was configured. */
export function configuredTitle(): string | null {
  return application;
}

const hearers = new Set<() => void>();

/** Calls back when the configured name is known. */
export function onConfiguredTitle(callback: () => void): () => void {
  hearers.add(callback);
  return () => hearers.delete(callback);
}

/** Asks for the configured name once and shows it from then on. */
export function showApplicationTitle(firstPage: string | null): void {
  showPageTitle(firstPage);
  send({ method: 'GET', address: addressOf(configPath, {}, { configKey: titleConfigKey }) }).then(
    (verdict) => {
      if (verdict.kind !== 'accepted' || typeof verdict.data !== 'string' || verdict.data.trim() === '') return;
      application = verdict.data.trim();
      write();
      for (const hear of hearers) hear();
    },
    // The built-in name stands already.
    () => {},
  );
}
