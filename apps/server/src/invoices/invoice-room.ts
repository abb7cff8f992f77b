import type { InvoiceState } from '@voltdeck/invoices/states';
import type { AgentId, InvoiceId } from '@voltdeck/units/id';
import type { Context } from '../context.ts';

/** What the work at the provider needs of the world. */
export type InvoiceRoom = Pick<Context, 'bus' | 'files' | 'invoiceProvider' | 'log' | 'now' | 'database'>;

/** Tells consoles that an invoice is at another step; after the commit. */
export function publishInvoice(
  { bus }: Pick<Context, 'bus'>,
  { id, agentId, state }: { id: InvoiceId; agentId: AgentId | null; state: InvoiceState },
): void {
  bus.publish({ agentId, event: { kind: 'invoice-changed', invoiceId: id, state } });
}
