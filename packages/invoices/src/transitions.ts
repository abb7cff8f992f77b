import type { InvoiceKind, InvoiceStep } from './states.ts';

/** What people do with an invoice. */
export const personActs = ['pass', 'reject', 'retry', 'void', 'red_letter', 'resume'] as const;
export type PersonAct = (typeof personActs)[number];

/** What is heard of it: from its provider, and from its red letter. */
export const providerActs = [
  'need_person',
  'sign',
  'issue',
  'refuse',
  'refuse_signing',
  'end_void',
  /** The voiding or the red letter is off: it stands as before, with its signature or without. */
  'keep',
  'keep_unsigned',
  'end_red_letter',
  /** Its red letter over a part is issued: it stands for the rest. */
  'end_part',
] as const;
export type ProviderAct = (typeof providerActs)[number];

export const invoiceActs = [...personActs, ...providerActs] as const;
export type InvoiceAct = PersonAct | ProviderAct;

type Table = Readonly<Record<InvoiceStep, Readonly<Partial<Record<InvoiceAct, InvoiceStep>>>>>;

const atProvider = { sign: 'signing', issue: 'issued', refuse: 'refused', refuse_signing: 'signing_failed' } as const;
const voidingAtProvider = { end_void: 'voided', keep: 'issued', keep_unsigned: 'signing_failed' } as const;

const blue: Table = {
  review: { pass: 'issuing', reject: 'rejected' },
  issuing: { ...atProvider, need_person: 'issuing_person' },
  issuing_person: { ...atProvider, resume: 'issuing' },
  signing: { issue: 'issued', refuse_signing: 'signing_failed' },
  issued: { void: 'voiding', red_letter: 'reddening' },
  // Nothing was issued, so nothing has to be voided at the provider.
  refused: { retry: 'issuing', void: 'voided' },
  rejected: { void: 'voided' },
  signing_failed: { retry: 'signing', void: 'voiding' },
  voiding: { ...voidingAtProvider, need_person: 'voiding_person' },
  voiding_person: { ...voidingAtProvider, resume: 'voiding' },
  reddening: { end_red_letter: 'reddened', end_part: 'issued', keep: 'issued' },
  voided: {},
  reddened: {},
};

/** A red letter is issued like an invoice, without a review, and is for good: it can be given up until it is issued. */
const red: Table = {
  review: {},
  issuing: blue.issuing,
  issuing_person: blue.issuing_person,
  signing: blue.signing,
  issued: {},
  refused: { retry: 'issuing', void: 'voided' },
  rejected: {},
  signing_failed: { retry: 'signing' },
  voiding: {},
  voiding_person: {},
  reddening: {},
  voided: {},
  reddened: {},
};

/** Every transition that there is, by kind, step and act. */
export const transitions: Readonly<Record<InvoiceKind, Table>> = { blue, red };

/** The step that an act leads to; null where it is not open. */
export function stepAfter(kind: InvoiceKind, step: InvoiceStep, act: InvoiceAct): InvoiceStep | null {
  return transitions[kind][step][act] ?? null;
}

/** Whether its document can be sent to the buyer. */
export function canSend(step: InvoiceStep): boolean {
  return step === 'issued';
}

/** Whether the provider is asked about it until it answers something final. */
export function isAtProvider(step: InvoiceStep): boolean {
  return (
    step === 'issuing' ||
    step === 'issuing_person' ||
    step === 'signing' ||
    step === 'voiding' ||
    step === 'voiding_person'
  );
}
