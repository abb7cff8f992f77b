import { audit } from './audit.ts';
import { logs } from './logs.ts';
import { ocpp } from './ocpp.ts';
import { ykc } from './ykc.ts';

/** What only the logs say, of people and of stations: a thousand words that a browser fetches with their screens. */
export const frames = {
  ...audit,
  ...logs,
  ...ocpp,
  ...ykc,
} as const;
