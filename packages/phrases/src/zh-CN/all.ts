import { abnormal } from './abnormal.ts';
import { core } from './core.ts';
import { frames } from './frames.ts';

/** A new slice goes into one of the three. */
export const all = {
  ...abnormal,
  ...core,
  ...frames,
} as const;
