import { portName } from '@voltdeck/phrases/port-name';
import { phrase } from '../../phrases.ts';

/** A gun port by its name on every screen. */
export const portText = (port: { number: number; name?: string }): string => portName(phrase, port);
