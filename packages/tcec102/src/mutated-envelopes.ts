/** Repeatable random messages and broken envelopes, for the hostile-input test and the bench. */
import { instant } from '@voltdeck/units/instant';
import type { Random } from '@voltdeck/units/random';
import { type PartnerKeys, sealRequest, seqMax } from './envelope.ts';
import { type Direction, type InterfaceName, interfaceNames, interfaces, type Message } from './messages/all.ts';
import { type AnyKind, type DecimalKind, isInProfile, type ObjectKind } from './messages/field.ts';
import { writeMessage } from './messages/write-message.ts';
import type { PartnerProfile } from './profile.ts';
import { secondOfDayMax } from './shanghai-text.ts';

/** A message with random values that the wire can hold exactly. */
export function anyMessage<Name extends InterfaceName, D extends Direction>(
  interfaceName: Name,
  direction: D,
  random: Random,
  profile: PartnerProfile,
): Message<Name, D> {
  const schema: ObjectKind = interfaces[interfaceName][direction];
  return anyValue(schema, random, profile) as Message<Name, D>;
}

const firstTimeMs = Date.UTC(2020, 0, 1);
const timesS = 20 * 365 * 86_400;
const signs = ['A', 'z', '0', '"', '\\', '\n', '/', '充', '电', 'é', '🔌', '\u2028', '\u007f'];
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_.';

function anyValue(kind: AnyKind, random: Random, profile: PartnerProfile): unknown {
  switch (kind.kind) {
    case 'object':
      return anyObject(kind, random, profile);
    case 'list': {
      const length = kind.itemsMin + random(Math.min(kind.itemsMax - kind.itemsMin, 3) + 1);
      return Array.from({ length }, () => anyValue(kind.of, random, profile));
    }
    case 'text': {
      const length = 1 + random(Math.max(Math.min(Math.floor(kind.charsMax / 2), 12), 1));
      return Array.from({ length }, () => signs[random(signs.length)])
        .join('')
        .slice(0, kind.charsMax)
        .toWellFormed();
    }
    case 'identifier':
      return Array.from({ length: 1 + random(kind.charsMax) }, () => alphabet[random(alphabet.length)]).join('');
    case 'integer':
      return kind.min + random(kind.max - kind.min + 1);
    case 'code': {
      const known = Object.keys(kind.codes.meanings);
      return Number(known[random(known.length)]);
    }
    case 'decimal':
      return anyDecimal(kind, random, profile);
    case 'date-time':
      return instant(firstTimeMs + random(timesS) * 1_000);
    case 'date':
      return new Date(firstTimeMs + random(timesS) * 1_000).toISOString().slice(0, 10);
    case 'time-of-day':
      return random(secondOfDayMax + 1);
  }
}

function anyObject({ fields }: ObjectKind, random: Random, profile: PartnerProfile): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!isInProfile(field, profile) || (!field.isRequired && random(3) === 0)) continue;
    values[name] = anyValue(field.kind, random, profile);
  }
  return values;
}

function anyDecimal({ scale, decimals, min, max }: DecimalKind, random: Random, profile: PartnerProfile): number {
  const digits = typeof decimals === 'number' ? decimals : profile[decimals];
  const step = 10 ** Math.max(scale - digits, 0);
  const steps = Math.min(Math.floor((max - min) / step), 2 ** 31);
  return random(4) === 0 ? 0 : min + random(steps + 1) * step;
}

const samplesOfInterface = 6;
const sampleAt = Date.UTC(2026, 10, 21, 7, 4, 5);

/** One request as it arrives: the interface of its address, and its body. */
export type SentEnvelope = { interfaceName: InterfaceName; text: string };

/**
 * Requests with one to four mutations: of the signed envelope, or of the business text before it is sealed, so that
 * every step of reading is reached.
 */
export function envelopeMutator(random: Random, keys: PartnerKeys, profile: PartnerProfile): () => SentEnvelope {
  const samples = interfaceNames.flatMap((interfaceName) =>
    Array.from({ length: samplesOfInterface }, () => {
      const body = writeMessage(
        interfaceName,
        'request',
        anyMessage(interfaceName, 'request', random, profile),
        profile,
      );
      return { interfaceName, body };
    }),
  );
  const sealed = (body: string) =>
    sealRequest({ operatorId: 'MA1AB2C3D', keys, at: instant(sampleAt), seq: 1 + random(seqMax) }, body);
  return () => {
    const { interfaceName, body } = samples[random(samples.length)] ?? { interfaceName: 'query_token', body: '{}' };
    const isInside = random(3) > 0;
    let text = isInside ? body : sealed(body);
    for (let count = 1 + random(4); count > 0; count -= 1) text = mutated(text, random);
    return { interfaceName, text: isInside ? sealed(text) : text };
  };
}

const fragments = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  'true',
  '0',
  '-1',
  '1e99',
  '0.005',
  '30.199999999999996',
  '"1"',
  '\\ud800',
  '\\u0000',
  '\ud800',
  '\0',
  '\r\n',
  '=',
  '"__proto__":{},',
  '"constructor":1,',
  '[[[[[[[[[[[[[[[[[[[[',
  '999999999999999999999',
];

function mutated(text: string, random: Random): string {
  const at = random(text.length + 1);
  switch (random(8)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << random(7))) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + (fragments[random(fragments.length)] ?? '') + text.slice(at);
    case 2:
      return text.slice(0, at) + (fragments[random(fragments.length)] ?? '') + text.slice(at + 1 + random(8));
    case 3:
      return text.slice(0, at) + text.slice(at + 1 + random(8));
    case 4:
      return text.slice(0, at) + text.slice(random(text.length + 1));
    case 5:
      return text.replaceAll(
        /-?\d+\.\d+/g,
        (number) => [`"${number}"`, `${number}4`, `-${number}`][random(8)] ?? number,
      );
    case 6:
      // Codes and counts that mean nothing.
      return text.replaceAll(/:\d{1,3}(?=[,}])/g, (number) => (random(4) === 0 ? `${number}7` : number));
    default:
      return text.slice(0, at);
  }
}
