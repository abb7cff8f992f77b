import type { Phrases } from '../phrase.ts';
import { core } from './core.ts';
import { frames } from './frames.ts';
import { order } from './order.ts';

/** A new slice goes into one of the three. */
export const all: Phrases = {
  ...order,
  ...core,
  ...frames,
};
