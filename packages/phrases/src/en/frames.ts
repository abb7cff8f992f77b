import type { frames as chinese } from '../zh-CN/frames.ts';
import { audit } from './audit.ts';
import { logs } from './logs.ts';
import { ocpp } from './ocpp.ts';
import { ykc } from './ykc.ts';

/** What only the logs say, of people and of stations: a thousand words that a browser fetches with their screens. */
export const frames: Readonly<Record<keyof typeof chinese, string>> = {
  ...audit,
  ...logs,
  ...ocpp,
  ...ykc,
};
