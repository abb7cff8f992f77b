import type { Instant } from '@voltdeck/units/instant';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.generated.ts';
import type { MailSettings } from '../mail/mail-sender.ts';
import { createSmtpSender } from '../mail/smtp-sender.ts';
import { createInvoiceCallLog } from './call-log.ts';
import { createEmbeddedProvider } from './embedded/embedded-provider.ts';
import type { InvoiceProvider } from './invoice-provider.ts';
import type { InvoicingSettings } from './invoicing-settings.ts';
import { mailedProvider } from './mailed-provider.ts';
import { createNuonuoProvider } from './nuonuo/nuonuo-provider.ts';

type InvoicingWorld = {
  db: Kysely<Tables>;
  now(): Instant;
  log: Pick<Logger, 'error'>;
  /** Where documents are sent from; without it, by the provider if it does. */
  mail?: MailSettings | null;
};

/** The provider that INVOICE_PROVIDER names; what is said with it is written down. */
export function openInvoicing(
  settings: InvoicingSettings,
  { db, now, log, mail = null }: InvoicingWorld,
): InvoiceProvider {
  const note = createInvoiceCallLog(db, log);
  const provider =
    settings.provider === 'nuonuo'
      ? createNuonuoProvider(settings, { now, note })
      : createEmbeddedProvider({ db, now, note });
  return mail === null ? provider : mailedProvider(provider, createSmtpSender(mail));
}
