/** Specification section 4: what lists show and filter by. `failed`: rejected by a person, or refused by the provider. */
export const invoiceStates = [
  'waiting',
  'signing',
  'invoiced',
  'failed',
  'signing_failed',
  'voiding',
  'voided',
] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/** A red letter takes back what stands of the blue invoice that it names, or a part of that. */
export const invoiceKinds = ['blue', 'red'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Whether the buyer can deduct its tax. */
export const invoiceTypes = ['ordinary', 'special'] as const;
export type InvoiceType = (typeof invoiceTypes)[number];

/** What a seller issues. */
export const allowedTypes = ['none', 'ordinary', 'special', 'both'] as const;
export type AllowedTypes = (typeof allowedTypes)[number];

export function allows(allowed: AllowedTypes, type: InvoiceType): boolean {
  return allowed === 'both' || allowed === type;
}

export const titleKinds = ['personal', 'company'] as const;
export type TitleKind = (typeof titleKinds)[number];

/**
 * Where an invoice stands, finer than its state: who is to act. Each belongs to one state, so that a rejection, a red
 * letter and a step that only a person can take need no state of their own.
 */
export const invoiceSteps = [
  /** A person has to pass or reject it. */
  'review',
  /** The provider has it, or is about to get it. */
  'issuing',
  /** The provider waits until a person has signed in there, scanned a face or confirmed. */
  'issuing_person',
  /** It has a number; its signature is to come. */
  'signing',
  'issued',
  'refused',
  'rejected',
  'signing_failed',
  'voiding',
  'voiding_person',
  /** Its red letter is being issued. */
  'reddening',
  'voided',
  'reddened',
] as const;
export type InvoiceStep = (typeof invoiceSteps)[number];

/** Every step with its state, and with the code that e-invoice services of the trade use for it. */
const steps: Readonly<Record<InvoiceStep, { state: InvoiceState; code: string }>> = {
  review: { state: 'waiting', code: '0' },
  issuing: { state: 'signing', code: '20' },
  issuing_person: { state: 'signing', code: '20' },
  signing: { state: 'signing', code: '21' },
  issued: { state: 'invoiced', code: '2' },
  refused: { state: 'failed', code: '22' },
  rejected: { state: 'failed', code: '22' },
  signing_failed: { state: 'signing_failed', code: '24' },
  voiding: { state: 'voiding', code: '31' },
  voiding_person: { state: 'voiding', code: '31' },
  reddening: { state: 'voiding', code: '31' },
  voided: { state: 'voided', code: '3' },
  reddened: { state: 'voided', code: '3' },
};

export function stateOf(step: InvoiceStep): InvoiceState {
  return steps[step].state;
}

export function codeOf(step: InvoiceStep): string {
  return steps[step].code;
}

/** Whether its orders are taken: no other invoice may hold them. */
export function holdsOrders(step: InvoiceStep): boolean {
  return step !== 'rejected' && step !== 'voided' && step !== 'reddened';
}
