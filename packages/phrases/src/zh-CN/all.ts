import { core } from './core.ts';
import { frames } from './frames.ts';

/** A new slice goes into one of the two. */
export const all = {
  ...core,
  ...frames,
} as const;
