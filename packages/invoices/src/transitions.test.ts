import { describe, expect, test } from 'vitest';
import {
  allowedTypes,
  allows,
  codeOf,
  holdsOrders,
  type InvoiceKind,
  type InvoiceStep,
  invoiceKinds,
  invoiceStates,
  invoiceSteps,
  invoiceTypes,
  stateOf,
} from './states.ts';
import { canSend, type InvoiceAct, invoiceActs, isAtProvider, stepAfter, transitions } from './transitions.ts';

/** "step act -> step", written out by hand: every other pair is refused. */
const blue = `
  review          pass            issuing
  review          reject          rejected
  issuing         need_person     issuing_person
  issuing         sign            signing
  issuing         issue           issued
  issuing         refuse          refused
  issuing         refuse_signing  signing_failed
  issuing_person  resume          issuing
  issuing_person  sign            signing
  issuing_person  issue           issued
  issuing_person  refuse          refused
  issuing_person  refuse_signing  signing_failed
  signing         issue           issued
  signing         refuse_signing  signing_failed
  issued          void            voiding
  issued          red_letter      reddening
  refused         retry           issuing
  refused         void            voided
  rejected        void            voided
  signing_failed  retry           signing
  signing_failed  void            voiding
  voiding         need_person     voiding_person
  voiding         end_void        voided
  voiding         keep            issued
  voiding         keep_unsigned   signing_failed
  voiding_person  resume          voiding
  voiding_person  end_void        voided
  voiding_person  keep            issued
  voiding_person  keep_unsigned   signing_failed
  reddening       end_red_letter  reddened
  reddening       end_part        issued
  reddening       keep            issued
`;

const red = `
  issuing         need_person     issuing_person
  issuing         sign            signing
  issuing         issue           issued
  issuing         refuse          refused
  issuing         refuse_signing  signing_failed
  issuing_person  resume          issuing
  issuing_person  sign            signing
  issuing_person  issue           issued
  issuing_person  refuse          refused
  issuing_person  refuse_signing  signing_failed
  signing         issue           issued
  signing         refuse_signing  signing_failed
  refused         retry           issuing
  refused         void            voided
  signing_failed  retry           signing
`;

function expected(kind: InvoiceKind): Map<string, string> {
  const lines = (kind === 'blue' ? blue : red).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [step, act, to = ''] = line.trim().split(/\s+/);
      return [`${step} ${act}`, to];
    }),
  );
}

/** Every step that can be reached from where an invoice of this kind begins. */
function reachable(kind: InvoiceKind): Set<InvoiceStep> {
  const found = new Set<InvoiceStep>([kind === 'blue' ? 'review' : 'issuing']);
  for (const step of found) for (const to of Object.values(transitions[kind][step])) found.add(to);
  return found;
}

describe('the transitions of an invoice', () => {
  test.each(invoiceKinds)('every act at every step of a %s invoice leads where the table says or nowhere', (kind) => {
    const wanted = expected(kind);
    for (const step of invoiceSteps) {
      for (const act of invoiceActs) {
        expect([step, act, stepAfter(kind, step, act)]).toEqual([step, act, wanted.get(`${step} ${act}`) ?? null]);
      }
    }
    expect(wanted.size).toBe(Object.values(transitions[kind]).flatMap((acts) => Object.keys(acts)).length);
  });

  test('every step of a blue invoice can be reached, and a red letter never waits for a review', () => {
    expect([...reachable('blue')].sort()).toEqual([...invoiceSteps].sort());
    expect([...reachable('red')].sort()).toEqual(
      ['issued', 'issuing', 'issuing_person', 'refused', 'signing', 'signing_failed', 'voided'].sort(),
    );
  });

  test('every act is open somewhere, and nothing follows a voided or reddened invoice', () => {
    const open = new Set(Object.values(transitions.blue).flatMap((acts) => Object.keys(acts)));
    expect([...open].sort()).toEqual([...invoiceActs].sort());
    for (const step of ['voided', 'reddened'] as const) expect(transitions.blue[step]).toEqual({});
  });

  test('every state is reached, and from each one a person or the provider can bring it to an end', () => {
    expect([...new Set(invoiceSteps.map(stateOf))].sort()).toEqual([...invoiceStates].sort());
    const ends = new Set<InvoiceStep>(['voided', 'reddened', 'issued']);
    for (const step of invoiceSteps) {
      const seen = new Set([step]);
      for (const each of seen) for (const to of Object.values(transitions.blue[each])) seen.add(to);
      expect([step, [...seen].some((each) => ends.has(each))]).toEqual([step, true]);
    }
  });
});

test('each step has the code of the trade for its state: 0, 20, 21, 22, 24, 2, 31 or 3', () => {
  expect(invoiceSteps.map((step) => `${step} ${stateOf(step)} ${codeOf(step)}`)).toEqual([
    'review waiting 0',
    'issuing signing 20',
    'issuing_person signing 20',
    'signing signing 21',
    'issued invoiced 2',
    'refused failed 22',
    'rejected failed 22',
    'signing_failed signing_failed 24',
    'voiding voiding 31',
    'voiding_person voiding 31',
    'reddening voiding 31',
    'voided voided 3',
    'reddened voided 3',
  ]);
});

test('orders are free again once an invoice is rejected, voided or taken back, and at no other step', () => {
  expect(invoiceSteps.filter((step) => !holdsOrders(step))).toEqual(['rejected', 'voided', 'reddened']);
});

test('the provider is asked exactly at the steps that it moves on', () => {
  const provider: readonly InvoiceAct[] = ['issue', 'end_void'];
  for (const step of invoiceSteps) {
    expect([step, isAtProvider(step)]).toEqual([step, provider.some((act) => stepAfter('blue', step, act) !== null)]);
  }
});

test('only an issued invoice is sent to its buyer', () => {
  expect(invoiceSteps.filter(canSend)).toEqual(['issued']);
});

test('a seller issues the types that its settings name', () => {
  expect(allowedTypes.map((allowed) => invoiceTypes.filter((type) => allows(allowed, type)))).toEqual([
    [],
    ['ordinary'],
    ['special'],
    ['ordinary', 'special'],
  ]);
});
