import type { Phrases } from '../phrase.ts';
import { core } from './core.ts';
import { frames } from './frames.ts';

/** A new slice goes into one of the two. */
export const all: Phrases = {
  ...core,
  ...frames,
};
