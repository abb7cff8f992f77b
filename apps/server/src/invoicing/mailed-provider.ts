import { invoiceForm as words } from '@voltdeck/phrases/zh-CN/invoice-form';
import { formatYuan } from '@voltdeck/units/money';
import type { MailSender } from '../mail/mail-sender.ts';
import type { InvoiceProvider, IssueRequest } from './invoice-provider.ts';

/** The same provider, whose documents go out through our own mail server instead of the provider's. */
export function mailedProvider(provider: InvoiceProvider, send: MailSender): InvoiceProvider {
  return {
    ...provider,
    async deliver(request, issued) {
      const bytes = await provider.document(request, issued);
      if (bytes === null) return { outcome: 'later', detail: words['invoice-form.mail.noDocument'] };
      return send({
        to: request.buyer.email,
        subject: filled(words['invoice-form.mail.subject'], request, issued.invoiceNumber),
        text: filled(words['invoice-form.mail.text'], request, issued.invoiceNumber),
        attachment: { name: `${request.number}.pdf`, contentType: 'application/pdf', bytes },
        messageId: `${request.requestNumber}@invoices.voltdeck`,
      });
    },
  };
}

function filled(
  text: string,
  { seller, buyer, amountFen, number }: IssueRequest,
  invoiceNumber: string | null,
): string {
  const values: Readonly<Record<string, string>> = {
    seller: seller.name,
    title: buyer.name,
    amount: formatYuan(amountFen),
    invoiceNumber: invoiceNumber ?? '',
    number,
  };
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
