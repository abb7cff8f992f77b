import type { Phrases } from '../phrase.ts';
import { abnormal } from './abnormal.ts';
import { core } from './core.ts';
import { frames } from './frames.ts';

/** A new slice goes into one of the three. */
export const all: Phrases = {
  ...abnormal,
  ...core,
  ...frames,
};
