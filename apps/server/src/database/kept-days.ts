/** How long what grows with every message is kept (docs/operations). */
export const keptDays = {
  readings: 400,
  interactionLogs: 30,
  /** Ended sessions, so that "your session was ended" can be told from "unknown". */
  endedSessions: 30,
  loginFailures: 2,
  /** Numbers that nobody registered and that have not tried since. */
  unknownStations: 30,
  /** Codes by short message, long after the day that their limits look back. */
  smsCodes: 7,
  /** Attempts to sign in: half a year and a little (China's Cybersecurity Law, article 21, asks for six months of logs). */
  signIns: 190,
  /** Who did what: three years. */
  auditEntries: 3 * 366,
  /** What a task made: long enough to be fetched after a holiday week. */
  taskFiles: 7,
  tasks: 90,
} as const;
