import { createDecipheriv, createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openData, type PartnerKeys, readRequestEnvelope, verifyRequest } from '@voltdeck/tcec102/envelope';
import { readBody } from '@voltdeck/tcec102/messages/read-message';
import { envelopeMutator, type SentEnvelope } from '@voltdeck/tcec102/mutated-envelopes';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import { randomFrom } from '@voltdeck/units/random';
import { cpuNs } from './process-cpu.ts';
import { median, spread } from './spread.ts';

/** The bound that the reader is built for: CPU time compared with the bare cryptography of the same bytes. */
const overCryptographyMax = 3;

const rounds = 10;
const envelopesOfRound = 10_000;

const keys: PartnerKeys = {
  operatorSecret: 'bench-operator',
  sigSecret: 'bench-signature',
  dataSecret: '1234567890abcdef',
  dataSecretIv: 'fedcba0987654321',
};

/** What the bare way is given: the parts, already taken from their envelope. */
type Parts = { message: string; data: string };

type Taken = { bareNs: number; readNs: number; messages: number; faults: number; chars: number };

/**
 * 100,000 mutated envelopes verified, opened and read, compared with a bare HMAC-MD5 and AES-128-CBC of the same bytes,
 * in alternating rounds of the same process.
 * @returns a line when the bound was missed.
 */
export function benchEnvelopes(seed: number): string[] {
  const envelope = envelopeMutator(randomFrom(seed), keys, defaultProfile);
  takeRound(envelope, 0);
  const taken = Array.from({ length: rounds }, (_, round) => takeRound(envelope, round));
  const sum = (of: (one: Taken) => number) => taken.reduce((so, one) => so + of(one), 0);
  const ratios = taken.map(({ bareNs, readNs }) => readNs / bareNs);
  const total = rounds * envelopesOfRound;
  console.log(
    `  ${total.toLocaleString('en')} mutated envelopes of every interface, seed ${seed} (${(sum(({ chars }) => chars) / total).toFixed(0)} characters each)`,
  );
  const perEnvelope = (of: (one: Taken) => number) => spread(taken.map(of), 0);
  console.log(`    HMAC-MD5 and AES-128-CBC  ${perEnvelope(({ bareNs }) => bareNs)} ns CPU an envelope`);
  console.log(`    verified, opened, read    ${perEnvelope(({ readNs }) => readNs)} ns CPU an envelope`);
  console.log(`    ${sum(({ messages }) => messages)} messages, ${sum(({ faults }) => faults)} typed faults`);
  console.log(`    ${spread(ratios)} times the bare cryptography, bound ${overCryptographyMax}`);
  const ratio = median(ratios);
  return ratio <= overCryptographyMax ? [] : [`envelopes: ${ratio.toFixed(2)} times the bare cryptography`];
}

function takeRound(envelope: () => SentEnvelope, round: number): Taken {
  const sent = Array.from({ length: envelopesOfRound }, envelope);
  const parts = sent.map(partsOf);
  const chars = sent.reduce((so, { text }) => so + text.length, 0);
  const taken: Taken = { bareNs: 0, readNs: 0, messages: 0, faults: 0, chars };
  // Collect garbage, so that neither way pays for making the envelopes, and warm up both afterwards.
  collectGarbage();
  bare(parts.slice(0, envelopesOfRound / 4));
  read(sent.slice(0, envelopesOfRound / 4), { ...taken });
  const ways = [
    () => {
      taken.bareNs = cpuNs(() => bare(parts)) / envelopesOfRound;
    },
    () => {
      taken.readNs = cpuNs(() => read(sent, taken)) / envelopesOfRound;
    },
  ];
  for (const way of round % 2 === 0 ? ways : ways.toReversed()) way();
  return taken;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Of a broken envelope the text itself is signed, and nothing decrypted: the minimum that tells that it is broken. */
function partsOf({ text }: SentEnvelope): Parts {
  const envelope = readRequestEnvelope(text);
  if (!envelope.ok) return { message: text, data: '' };
  const { operatorId, data, timeStamp, seq } = envelope.value;
  const isGenuine = verifyRequest(envelope.value, keys, defaultProfile);
  return { message: `${operatorId}${data}${timeStamp}${seq}`, data: isGenuine ? data : '' };
}

function bare(parts: readonly Parts[]): void {
  for (const { message, data } of parts) {
    createHmac('md5', keys.sigSecret).update(message, 'utf8').digest('hex');
    if (data === '') continue;
    const decipher = createDecipheriv('aes-128-cbc', keys.dataSecret, keys.dataSecretIv);
    decipher.update(data, 'base64', 'utf8');
    decipher.final('utf8');
  }
}

function read(sent: readonly SentEnvelope[], taken: Taken): void {
  for (const { interfaceName, text } of sent) {
    if (isMessage(interfaceName, text)) taken.messages += 1;
    else taken.faults += 1;
  }
}

function isMessage(interfaceName: SentEnvelope['interfaceName'], text: string): boolean {
  const envelope = readRequestEnvelope(text);
  if (!envelope.ok || !verifyRequest(envelope.value, keys, defaultProfile)) return false;
  const body = openData(envelope.value.data, keys);
  return body.ok && readBody(interfaceName, 'request', body.value, defaultProfile).ok;
}
