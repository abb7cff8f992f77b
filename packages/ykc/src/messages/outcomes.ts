import { enumeration } from './field.ts';

/** Meanings that fields of several messages share. */
export const noYes = enumeration('no-yes', { 0: 'no', 1: 'yes' });
export const outcome = enumeration('outcome', { 0: 'failed', 1: 'ok' });
