import type { PartnerKeys } from '@voltdeck/tcec102/envelope';
import type { PartnerProfile } from '@voltdeck/tcec102/profile';

/** Which side of the protocol the bench plays: the operator of stations, or the one whose customers charge. */
export const benchRoles = ['operator', 'demand'] as const;
export type BenchRole = (typeof benchRoles)[number];

export const benchLanguages = ['zh-CN', 'en'] as const;
export type BenchLanguage = (typeof benchLanguages)[number];

export type BenchSettings = {
  role: BenchRole;
  /** What the addresses of the tested server's interfaces begin with, without a slash at the end. */
  url: string;
  operatorId: string;
  theirOperatorId: string;
  /** Issued by the tested server, which the bench calls with them. */
  theirKeys: PartnerKeys;
  /** Issued by the bench, for calls of the tested server. */
  ourKeys: PartnerKeys;
  profile: PartnerProfile;
  host: string;
  /** 0: any that is free. */
  port: number;
  /** The gun port to charge at (role `demand`); null for the first free one. */
  connectorId: string | null;
  /** Invented sites, and gun ports of each (role `operator`). */
  sites: number;
  connectors: number;
  powerKw: number;
  /** Of a token that the bench gives. */
  tokenSeconds: number;
  /** Between two pushes of a running charge's state. */
  pushSeconds: number;
  /** How much faster than the standard says the bench repeats what was not confirmed. */
  hurry: number;
  /** How long the bench waits for what a person at the other side has to begin. */
  waitSeconds: number;
  /** Whether a bill is told before the result of the stop (role `operator`). */
  isOrderFirst: boolean;
};
