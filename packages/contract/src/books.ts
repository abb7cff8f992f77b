import { accountKinds, channels } from '@voltdeck/ledger/chart';
import { type TransferReason, transferReasons } from '@voltdeck/ledger/transfer';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import { fenField, filter, idField, idParameter, instantField, linesField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** The largest amount that a filter takes: ten million yuan. */
const filterFenMax = 1_000_000_000;

/** An account with its owner, by whom people know it; the owner's fields are null where it is of another kind. */
const party = {
  key: z.string(),
  kind: z.enum(accountKinds),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  nickname: z.nullable(z.string()),
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  channel: z.nullable(z.enum(channels)),
};

export const accountParty = z.object({ accountId: idField<'account'>(), ...party });
export type AccountParty = z.output<typeof accountParty>;

export const ledgerAccount = z.object({ id: idField<'account'>(), ...party, balanceFen: fenField });
export type LedgerAccount = z.output<typeof ledgerAccount>;

/** An owner by its own name; null for a channel and for the accounts that have none. */
export function ownerNameOf(of: Omit<LedgerAccount, 'id' | 'balanceFen'>): string | null {
  return of.cardNumber ?? of.siteName ?? of.agentName ?? of.nickname ?? of.customerPhone;
}

export const balanceSigns = ['above', 'zero', 'below'] as const;
export type BalanceSign = (typeof balanceSigns)[number];

export const listLedgerAccounts = listRoute({
  name: 'listLedgerAccounts',
  path: '/ledger/accounts',
  summary: 'The accounts of the books with their balances',
  permission: 'ledger.read',
  sorts: ['id'],
  first: '-id',
  filters: {
    kind: filter.choice(accountKinds),
    balance: filter.one(balanceSigns),
    cardNumber: filter.card(),
    phone: filter.phone(),
    siteId: filter.id('site'),
    agentId: filter.id('agent'),
  },
  item: ledgerAccount,
  columns: columnsOf<LedgerAccount>()({
    key: { kind: 'number', title: 'books.key' },
    kind: { kind: 'choice', title: 'books.kind', words: 'account-kind' },
    owner: { kind: 'text', title: 'books.owner', of: ownerNameOf },
    balanceFen: { kind: 'money', title: 'books.balance', hint: 'books.balanceHint', summed: true },
  }),
});

/** The movements of an account that its page shows. */
export const accountMovementsMax = 50;

export const getLedgerAccount = route({
  method: 'GET',
  path: '/ledger/accounts/{id}',
  summary: 'One account with its newest movements',
  permission: 'ledger.read',
  params: z.object({ id: idParameter<'account'>() }),
  answer: z.object({
    ...ledgerAccount.shape,
    /** The newest first. */
    movements: z.array(
      z.object({
        transferId: idField<'transfer'>(),
        line: z.int(),
        reason: z.enum(transferReasons),
        createdAt: instantField,
        /** Below zero where the account gave. */
        changeFen: fenField,
        balanceAfterFen: fenField,
        other: accountParty,
      }),
    ),
    hasMore: z.boolean(),
  }),
  errors: [],
});
export type AccountMovement = z.output<typeof getLedgerAccount.answer>['movements'][number];

export const getLedgerBalances = route({
  method: 'GET',
  path: '/ledger/balances',
  summary: 'What all accounts of each kind hold together',
  permission: 'ledger.read',
  readsMuch: 'always',
  answer: z.object({
    kinds: z.array(z.object({ kind: z.enum(accountKinds), accounts: z.int(), balanceFen: fenField })),
    /** Of all kinds: zero in sound books. */
    sumFen: fenField,
    at: instantField,
  }),
  errors: [],
});

const transfer = {
  id: idField<'transfer'>(),
  /** Its place in the books; a number that is missing was never posted. */
  position: z.int(),
  key: z.string(),
  reason: z.enum(transferReasons),
  /** What its postings move together. */
  amountFen: fenField,
  createdAt: instantField,
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  reversedAt: z.nullable(instantField),
};

export const ledgerTransfer = z.object({
  ...transfer,
  /** Of its first posting. */
  from: accountParty,
  to: accountParty,
  postingCount: z.int(),
});
export type LedgerTransfer = z.output<typeof ledgerTransfer>;

export const listLedgerTransfers = listRoute({
  name: 'listLedgerTransfers',
  path: '/ledger/transfers',
  summary: 'The transfers of the books',
  permission: 'ledger.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    reason: filter.choice(transferReasons),
    orderNumber: filter.text(),
    cardNumber: filter.card(),
    phone: filter.phone(),
    /** The key of an account, such as `card:12`. */
    account: filter.text(),
    fromFen: filter.fen(filterFenMax),
    toFen: filter.fen(filterFenMax),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: ledgerTransfer,
  columns: columnsOf<LedgerTransfer>()({
    position: { kind: 'number', title: 'books.position', of: ({ position }) => String(position) },
    createdAt: { kind: 'instant', title: 'books.at' },
    reason: { kind: 'choice', title: 'books.reason', words: 'transfer-reason' },
    fromKind: { kind: 'choice', title: 'books.fromKind', words: 'account-kind', of: ({ from }) => from.kind },
    fromOwner: { kind: 'text', title: 'books.fromOwner', of: ({ from }) => ownerNameOf(from) },
    toKind: { kind: 'choice', title: 'books.toKind', words: 'account-kind', of: ({ to }) => to.kind },
    toOwner: { kind: 'text', title: 'books.toOwner', of: ({ to }) => ownerNameOf(to) },
    postingCount: { kind: 'count', title: 'books.postingCount', hint: 'books.postingCountHint' },
    amountFen: { kind: 'money', title: 'books.amount', hint: 'books.amountHint', summed: true },
    orderNumber: { kind: 'number', title: 'books.orderNumber' },
    reversedAt: { kind: 'instant', title: 'books.reversedAt' },
    key: { kind: 'number', title: 'books.transferKey', hint: 'books.transferKeyHint' },
  }),
});

/** The records that transfers come from. */
export const causeKinds = ['order', 'recharge', 'agent_recharge', 'gift', 'gift_deduction', 'transfer'] as const;

/** Why a balance is not what its postings add up to is for a person to find out; these are both figures. */
const difference = z.object({ account: accountParty, keptFen: fenField, postedFen: fenField });
export type ProofDifference = z.output<typeof difference>;

/** Why transfers of a reason are not reversed in the ledger: another act undoes them. Null: a person entered them. */
export const reversalRefusals = {
  opening: 'reversal.automatic',
  recharge: 'reversal.recharge',
  prepaid_filled: null,
  gift: null,
  gift_deducted: null,
  hold: 'reversal.order',
  hold_extended: 'reversal.order',
  hold_voided: 'reversal.order',
  charge_settled: 'reversal.order',
  order_shared: 'reversal.order',
  shares_paid_out: 'reversal.automatic',
  refund_order: 'reversal.order',
  debt_repaid: 'reversal.debt',
  debt_written_off: 'reversal.debt',
  money_frozen: 'reversal.payout',
  withdrawal: 'reversal.payout',
  recharge_refund: 'reversal.payout',
  transfer: null,
  group_allocated: 'reversal.group',
  group_taken_back: 'reversal.group',
  roaming_settled: 'reversal.roaming',
  roaming_repaid: 'reversal.roaming',
  roaming_refunded: 'reversal.roaming',
  roaming_written_off: 'reversal.roaming',
  partner_paid: 'reversal.partner_payment',
  correction: 'reversal.automatic',
  reversal: 'reversal.of_reversal',
} as const satisfies Readonly<Record<TransferReason, `reversal.${string}` | null>>;

const otherTransfer = z.object({ id: idField<'transfer'>(), position: z.int(), createdAt: instantField });

const ofTransfer = z.object({ id: idParameter<'transfer'>() });

export const ledgerTransferDetail = z.object({
  ...transfer,
  postings: z.array(z.object({ line: z.int(), amountFen: fenField, from: accountParty, to: accountParty })),
  /** Null where the key alone tells. */
  cause: z.nullable(z.object({ kind: z.enum(causeKinds), id: z.int(), number: z.nullable(z.string()) })),
  /** The transfer that undid this one. */
  reversal: z.nullable(otherTransfer),
  /** The transfer that this one undoes. */
  reverses: z.nullable(otherTransfer),
  /** The reversal that waits for a second person. */
  waits: z.array(waitingAct),
  /**
   * Whether a person's entry cannot be reversed any more because a wallet that it changed is closed: its card was
   * replaced or cancelled, its customer merged.
   */
  walletClosed: z.boolean(),
});
export type LedgerTransferDetail = z.output<typeof ledgerTransferDetail>;

export const getLedgerTransfer = route({
  method: 'GET',
  path: '/ledger/transfers/{id}',
  summary: 'One transfer with both sides of its postings, its cause and its reversal',
  permission: 'ledger.read',
  params: ofTransfer,
  answer: ledgerTransferDetail,
  errors: [],
});

export const reverseLedgerTransfer = route({
  method: 'POST',
  path: '/ledger/transfers/{id}/reversals',
  summary:
    'Undo a gift, a deduction of gifts, a transfer or prepaid money of an agent that was entered by mistake, once a second person approves it and while the money is still there',
  permission: 'ledger.reverse',
  params: ofTransfer,
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(ledgerTransferDetail),
  errors: [
    'reversal.automatic',
    'reversal.recharge',
    'reversal.order',
    'reversal.debt',
    'reversal.payout',
    'reversal.of_reversal',
    'reversal.already_reversed',
    'reversal.repaid_debts',
    'reversal.wallet_closed',
    'reversal.spent',
  ],
  idempotency: 'required',
});

/** `new` adds up what was posted since the last one; `whole` adds up everything again. */
export const proofKinds = ['new', 'whole'] as const;
export const proofOutcomes = ['compared', 'behind', 'in-flight'] as const;

export const proofRun = z.object({
  id: idField<'proof_run'>(),
  kind: z.enum(proofKinds),
  beganAt: instantField,
  tookMs: z.int(),
  outcome: z.enum(proofOutcomes),
  provenTo: z.int(),
  behind: z.int(),
  transfers: z.int(),
  differences: z.int(),
  /** Of the whole books only. */
  sumFen: z.nullable(fenField),
  userName: z.nullable(z.string()),
});
export type ProofRun = z.output<typeof proofRun>;

export const listProofRuns = listRoute({
  name: 'listProofRuns',
  path: '/ledger/proof-runs',
  summary: 'When the books were proven, and what that found',
  permission: 'ledger.read',
  sorts: ['beganAt'],
  first: '-beganAt',
  filters: {
    kind: filter.choice(proofKinds),
    different: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: proofRun,
  columns: columnsOf<ProofRun>()({
    beganAt: { kind: 'instant', title: 'books.beganAt' },
    kind: { kind: 'choice', title: 'books.proofKind', words: 'proof-kind', hint: 'books.proofKindHint' },
    outcome: { kind: 'choice', title: 'books.outcome', words: 'proof-outcome', hint: 'books.outcomeHint' },
    transfers: { kind: 'count', title: 'books.transfersRead', hint: 'books.transfersReadHint' },
    provenTo: { kind: 'count', title: 'books.provenTo', hint: 'books.provenToHint' },
    behind: { kind: 'count', title: 'books.behind', hint: 'books.behindHint' },
    differences: { kind: 'count', title: 'books.differences', hint: 'books.differencesHint' },
    sumFen: { kind: 'money', title: 'books.sum', hint: 'books.sumHint' },
    tookMs: { kind: 'durationMs', title: 'books.took' },
    userName: { kind: 'text', title: 'books.askedBy', absent: 'books.bySchedule' },
  }),
});

/** The differences that an answer names; more are a flood with one cause. */
export const differencesMax = 100;

export const getProofState = route({
  method: 'GET',
  path: '/ledger/proof-state',
  summary: 'How far the books are proven, and every balance that differs from its postings',
  permission: 'ledger.read',
  answer: z.object({
    /** The last proof of what is new; null before the first. */
    lastRun: z.nullable(proofRun),
    /** The last proof of everything. */
    lastWhole: z.nullable(proofRun),
    provenTo: z.int(),
    /** Transfers that are not proven yet. */
    behind: z.int(),
    /** When every account had last been compared. */
    roundEndedAt: z.nullable(instantField),
    /** What is wrong now, whichever run found it. */
    differences: z.array(difference),
    /** What the last proof of everything found. */
    wholeDifferences: z.array(difference),
  }),
  errors: [],
});
export type ProofState = z.output<typeof getProofState.answer>;

export const getLedgerProof = route({
  method: 'GET',
  path: '/ledger/proof',
  summary: 'Proof of the books: every balance re-computed from its postings',
  permission: 'ledger.read',
  readsMuch: 'always',
  answer: z.object({
    /** The sum over all accounts; anything but zero means the books are broken. */
    sumFen: z.int(),
    accounts: z.int(),
    transfers: z.int(),
    /** Accounts whose stored balance differs from the sum of their postings. */
    mismatches: z.int(),
    checkedAt: instantField,
  }),
  errors: [],
});
