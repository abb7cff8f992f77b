import type { PhraseParams } from './phrase.ts';

type Say = (key: 'port.numbered' | 'port.named', params: PhraseParams) => string;

/** A gun port by its number, as drivers read it at the station, with the name that somebody gave it besides. */
export function portName(say: Say, { number, name = '' }: { number: number; name?: string }): string {
  const port = say('port.numbered', { number });
  return name === '' || name === String(number) ? port : say('port.named', { port, name });
}
