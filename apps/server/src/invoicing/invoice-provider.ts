import type { InvoiceDoubt, InvoiceProviderName } from '@voltdeck/contract/invoices';
import type { InvoiceKind, InvoiceType, TitleKind } from '@voltdeck/invoices/states';
import type { WattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';

/** Who sells, as it stands on the document. */
export type Seller = {
  name: string;
  taxNumber: string;
  address: string;
  tel: string;
  bank: string;
  bankAccount: string;
  drawer: string;
  checker: string;
  payee: string;
  electricityTaxCode: string;
  serviceTaxCode: string;
  terminal: string;
};

export type Buyer = {
  titleKind: TitleKind;
  name: string;
  taxNumber: string;
  address: string;
  phone: string;
  bank: string;
  bankAccount: string;
  email: string;
};

/** One line of an invoice. On a red letter every amount is below zero; one over a part takes back no energy. */
export type InvoiceLine = {
  part: 'electricity' | 'service';
  energyWh: WattHours;
  grossFen: Fen;
  netFen: Fen;
  taxFen: Fen;
  rateBp: number;
};

/** What is to be issued. `requestNumber` is its name at the provider, which issues one invoice for it. */
export type IssueRequest = {
  requestNumber: string;
  kind: InvoiceKind;
  type: InvoiceType;
  /** Our serial number, for the remark. */
  number: string;
  seller: Seller;
  buyer: Buyer;
  /** Without those of zero. */
  lines: readonly InvoiceLine[];
  amountFen: Fen;
  netFen: Fen;
  taxFen: Fen;
  remark: string;
  /** Of a red letter: the invoice that it takes back, and why. */
  original: IssuedName | null;
  /** Of a red letter over a part: the lines of the original, in their order. */
  takesPartOf: readonly InvoiceLine['part'][] | null;
  redReason: string | null;
};

/** An invoice as its provider knows it. */
export type IssuedName = {
  requestNumber: string;
  /** The provider's own name of the request. */
  serial: string | null;
  /** Null or empty for fully digital invoices. */
  code: string | null;
  invoiceNumber: string | null;
  issuedAt: Instant | null;
};

/** Where an invoice is at its provider. `unknown`: nobody can say, and the request may have been carried out. */
export type ProviderState =
  | { outcome: 'unknown'; detail: string; doubt?: InvoiceDoubt }
  /** The provider has never heard of it. */
  | { outcome: 'absent' }
  | { outcome: 'pending' }
  | { outcome: 'signing'; invoiceNumber: string | null }
  /** Nothing goes on until a person has done what the text says. */
  | { outcome: 'needs_person_step'; text: string }
  | {
      outcome: 'issued';
      serial: string | null;
      code: string | null;
      invoiceNumber: string;
      issuedAt: Instant;
    }
  | { outcome: 'refused'; text: string }
  | { outcome: 'signing_refused'; text: string; invoiceNumber: string | null }
  | { outcome: 'voiding' }
  | { outcome: 'voided' };

/** What came of sending a document to its buyer. */
export type Delivered =
  | { outcome: 'sent' }
  /** This provider sends no mail: a person has to. */
  | { outcome: 'by_hand' }
  | { outcome: 'refused'; text: string }
  /** It was certainly not sent, and can be tried again. */
  | { outcome: 'later'; detail: string }
  | { outcome: 'unknown'; detail: string };

/**
 * A service that issues invoices. Whatever it is asked, it answers `unknown` where the request may have been carried out,
 * and it never throws for what its other side does. Asking twice for one `requestNumber` issues one invoice.
 */
export type InvoiceProvider = {
  name: InvoiceProviderName;
  /** What the seller's settings lack for this provider, as fields; nothing where it can issue. */
  lacks(seller: Seller): readonly (keyof Seller)[];
  /** Red letters too, whose request names the original. */
  issue(request: IssueRequest): Promise<ProviderState>;
  query(request: IssueRequest, issued: IssuedName): Promise<ProviderState>;
  /** Has an invoice signed again whose signature failed. */
  signAgain(request: IssueRequest, issued: IssuedName): Promise<ProviderState>;
  void(request: IssueRequest, issued: IssuedName): Promise<ProviderState>;
  /** The bytes of the PDF; null where it is not there yet. */
  document(request: IssueRequest, issued: IssuedName): Promise<Buffer | null>;
  deliver(request: IssueRequest, issued: IssuedName): Promise<Delivered>;
};
