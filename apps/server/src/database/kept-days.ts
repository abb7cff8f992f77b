import { attemptsKeptDays } from '@voltdeck/contract/quality';

/** Retention of what grows with every message (docs/operations). */
export const keptDays = {
  readings: 400,
  interactionLogs: 30,
  /** Ended sessions, so that "your session was ended" differs from "unknown". */
  endedSessions: 30,
  loginFailures: 2,
  /** Unregistered numbers that have not tried again. */
  unknownStations: 30,
  /** Codes of short messages, well beyond the day that their limits look back. */
  smsCodes: 7,
  /**
   * Sign-in attempts: a little over half a year (China's Cybersecurity Law, article 21, requires six months of logs).
   */
  signIns: 190,
  /** Attempts to start a charge, one by one, and the faults of ports; what they came to by day stays. */
  startAttempts: attemptsKeptDays,
  /** What became of scheduled reports, with the addresses that got them. */
  reportRuns: 400,
  /** Comparisons of the sums of sales with their orders. */
  saleRebuilds: 400,
  /** The audit log: three years. */
  auditEntries: 3 * 366,
  /** What is left of a charge's readings: as long as its bill may be disputed (Civil Code, article 188: three years). */
  orderCurves: 3 * 366,
  /** Which rule a station had when; the last one before stays. */
  stationTariffs: 3 * 366,
  /** Where a station stood when and whose it was; the last place before stays. */
  stationPlaces: 3 * 366,
  /** Price changes that were carried out or cancelled, with their stations. */
  priceChanges: 3 * 366,
  /** What partners and we said to each other, and what they were told. */
  partnerExchanges: 90,
  partnerDeliveries: 400,
  /** Starts of partners that were refused; those that became orders stay. */
  refusedPartnerCharges: 90,
  /** Pulls of partners' stations with what they changed; the last of each kind and result stays. */
  partnerPulls: 90,
  /** Calls of payment channels, with what they answered. */
  channelCalls: 90,
  /** Calls of invoice providers, with what they answered. */
  invoiceCalls: 90,
  /** Notifications of payment channels: as long as a payment may be disputed. */
  channelNotifications: 3 * 366,
  /** Notifications that were not believed. */
  refusedNotifications: 90,
  /** Proofs of the books: one a minute. */
  proofRuns: 90,
  /** The power of all charges every five minutes: a week to look back at. */
  powerSamples: 8,
  /** Results of tasks: long enough to be fetched after a holiday week. */
  taskFiles: 7,
  tasks: 90,
  /** Checked files of stations with their rows. */
  stationImports: 7,
} as const;
