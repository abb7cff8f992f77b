import type { Invoice } from '@voltdeck/contract/invoices';
import { addFen, fen } from '@voltdeck/units/money';
import { phrase } from '../phrases.ts';
import { moneyText, rateText } from '../ui/figures.ts';

export function sumText(invoices: readonly Pick<Invoice, 'amountFen'>[]): string {
  return moneyText(addFen(fen(0), ...invoices.map(({ amountFen }) => amountFen)));
}

/** The rates of tax that there are for electricity and services. */
export const rateOptions = [0, 100, 300, 500, 600, 900, 1300].map((value) => ({ value, label: rateText(value) }));

type InvoiceMoney = Pick<Invoice, 'title' | 'amountFen' | 'taxFen' | 'orderCount'>;

export const moneyOf = ({ title, amountFen, taxFen, orderCount }: InvoiceMoney) => ({
  title,
  amount: moneyText(amountFen),
  tax: moneyText(taxFen),
  count: orderCount,
});

/** What is asked and said when an invoice is voided; a red letter that was refused is given up instead. */
export function voidWords(invoice: InvoiceMoney & Pick<Invoice, 'kind' | 'number'>) {
  const { kind, number } = invoice;
  if (kind === 'red') {
    return {
      label: 'invoices.giveUp',
      question: phrase('invoices.giveUpQuestion', { number }),
      details: phrase('invoices.giveUpDetails'),
      told: phrase('invoices.gaveUp'),
    } as const;
  }
  return {
    label: 'invoices.void',
    question: phrase('invoices.voidQuestion', { number }),
    details: phrase('invoices.voidDetails', moneyOf(invoice)),
    told: phrase('invoices.voided', { number }),
  } as const;
}
