import type { getConfigByKey } from '@voltdeck/contract/access';
import { addressOf } from '../api/address.ts';
import { send } from '../api/send.ts';
import { phrase } from '../phrases.ts';

const configPath: (typeof getConfigByKey)['path'] = '/sysConfig/getInfoByKey';
/** Specification section 2: the application's name is a configuration value. */
const titleConfigKey = 'sys_title';

/** The name that our server wrote into the page; null when another server served it. */
function writtenTitle(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content.trim() || null;
}

let application = writtenTitle();
let page: string | null = null;

function write(): void {
  const name = application ?? phrase('access.product');
  document.title = page === null ? name : `${page} - ${name}`;
}

/** Sets the page's part of the window title. */
export function showPageTitle(title: string | null): void {
  page = title;
  write();
}

/** The configured name of the application; null until it is known or if there is none. */
export function configuredTitle(): string | null {
  return application;
}

const hearers = new Set<() => void>();

/** Calls back once the configured name is known. */
export function onConfiguredTitle(callback: () => void): () => void {
  hearers.add(callback);
  return () => hearers.delete(callback);
}

/** Shows the configured name from now on, fetching it if the page did not carry it. */
export function showApplicationTitle(firstPage: string | null): void {
  showPageTitle(firstPage);
  if (application !== null) return;
  send({ method: 'GET', address: addressOf(configPath, {}, { configKey: titleConfigKey }) }).then(
    (verdict) => {
      if (verdict.kind !== 'accepted' || typeof verdict.data !== 'string' || verdict.data.trim() === '') return;
      application = verdict.data.trim();
      write();
      for (const hear of hearers) hear();
    },
    // The built-in name is already shown.
    () => {},
  );
}
