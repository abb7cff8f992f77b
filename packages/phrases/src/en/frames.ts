import type { frames as chinese } from '../zh-CN/frames.ts';
import { logs } from './logs.ts';
import { ocpp } from './ocpp.ts';
import { ykc } from './ykc.ts';

/** What only the screens say that take frames apart: thousands of words that a browser fetches with them. */
export const frames: Readonly<Record<keyof typeof chinese, string>> = {
  ...logs,
  ...ocpp,
  ...ykc,
};
