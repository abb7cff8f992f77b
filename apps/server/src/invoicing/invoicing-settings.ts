/** What INVOICE_PROVIDER and NUONUO_… say. Those of a service hold a secret. */
export type InvoicingSettings = { provider: 'embedded' } | ({ provider: 'nuonuo' } & NuonuoSettings);

export type NuonuoSettings = {
  appKey: string;
  appSecret: string;
  /** Another address than Nuonuo's own, for its sandbox and for tests. */
  baseUrl: string | null;
  /** The same for where tokens come from. */
  tokenUrl: string | null;
};

export const embeddedInvoicing: InvoicingSettings = { provider: 'embedded' };
