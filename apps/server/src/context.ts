import type { Instant } from '@voltdeck/units/instant';
import type { Logger } from 'pino';
import type { Bus } from './bus/bus.ts';
import type { OpenChannels } from './channels/open-channels.ts';
import type { Database, Databases } from './database/database.ts';
import type { Lane } from './database/lanes.ts';
import type { Exports } from './exports/exports.ts';
import type { FileStore } from './files/file-store.ts';
import type { InvoiceProvider } from './invoicing/invoice-provider.ts';
import type { MailSender } from './mail/mail-sender.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** What every part of the server shares, whatever its lane. */
export type World = {
  bus: Bus;
  files: FileStore;
  /** Writes lists as files without delaying stations. */
  exports: Exports;
  /** Seals secrets under the installation's key. */
  secrets: SecretBox;
  /** The payment channels that are on. */
  channels: OpenChannels;
  /** The service that issues invoices. */
  invoiceProvider: InvoiceProvider;
  /** Absent or null where no mail is sent. */
  mail?: MailSender | null;
  log: Logger;
  now(): Instant;
};

/**
 * What an action needs of the world. Time comes from here, so that tests can set it. The lane names the pool of
 * database connections: an action that only works in one lane asks for `Context<'money'>`, and its caller switches with
 * `context.on('money')`.
 */
export type Context<L extends Lane = Lane> = World & {
  database: Database<L>;
  /** The same context with the database connections of another lane. */
  on<M extends Lane>(lane: M): Context<M>;
};

/** The context of the given lane. */
export function createContext<L extends Lane>(lane: L, databases: Databases, world: World): Context<L> {
  return {
    ...world,
    database: databases[lane],
    on: (other) => createContext(other, databases, world),
  };
}

/** One pool for all lanes, for tools and tests. */
export function createContextForAllLanes(database: Database, world: World): Context<never> {
  const context: Context<never> = { ...world, database: { ...database, lane: null }, on: () => context };
  return context;
}
