import type { SayEvidence } from '@voltdeck/contract/flag-evidence';
import { fill } from '@voltdeck/phrases/phrase';
import { knownPhrase } from '../phrases.ts';
import { isoDateTime } from '../ui/instants.ts';

/** Evidence in the words of the console. */
export const sayEvidence: SayEvidence = {
  words: (key, params) => {
    const text = knownPhrase(key);
    return text === undefined ? null : fill(text, params);
  },
  time: (iso) => isoDateTime(iso) ?? iso,
};
