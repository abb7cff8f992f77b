import { maskCard, maskEmails, maskLookalikes } from '../personal/mask-text.ts';

/** Fields that hold a key, a signature or an address that gives a document to whoever has it. */
const secretFields = /^(?:.*token|.*secret|.*sign(?:ature)?|.*urls?|password)$/i;
/** Fields that lead to a person: the buyer, and who draws, checks and receives. */
const personalFields = /^(?:buyer.*|.*(?:phone|mobile|mail|tel)|clerk|checker|payee|drawer)$/i;

/**
 * What was said with an invoice provider without its keys, and with people masked, at any depth. Addresses of mail and
 * phones are masked within every text.
 */
export function maskCall(value: unknown): unknown {
  return masked(value, 'open');
}

function masked(value: unknown, kind: 'open' | 'secret' | 'personal'): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, kind));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, masked(one, kind === 'open' ? kindOf(name) : kind)]),
    );
  }
  if (kind === 'secret') return value === null ? null : '***';
  if (typeof value !== 'string') return value;
  return kind === 'personal' && !value.includes('@') ? maskCard(value) : maskEmails(maskLookalikes(value));
}

function kindOf(name: string): 'open' | 'secret' | 'personal' {
  if (secretFields.test(name)) return 'secret';
  return personalFields.test(name) ? 'personal' : 'open';
}
