import type { Instant } from '@voltdeck/units/instant';
import type { Logger } from 'pino';
import type { Bus } from './bus/bus.ts';
import type { Database } from './database/database.ts';
import type { FileStore } from './files/file-store.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** What an action needs of the world. Time comes from here, so that tests can set it. */
export type Context = {
  database: Database;
  bus: Bus;
  files: FileStore;
  /** Seals secrets under the installation's own key. */
  secrets: SecretBox;
  log: Logger;
  now(): Instant;
};
