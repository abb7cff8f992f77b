import type {
  CardState,
  ConnectorGroup,
  ConnectorState,
  CustomerState,
  GroupMemberState,
  GroupState,
  MovementState,
  OrderState,
  PaymentState,
  RefundState,
  TariffState,
  WithdrawalState,
} from '@voltdeck/charging/states';
import type { AgentState } from '@voltdeck/contract/agents';
import type { TermState } from '@voltdeck/contract/dividers';
import type { ChannelPaymentState } from '@voltdeck/contract/payment-channels';
import type { SettlementPeriod } from '@voltdeck/contract/settlements';
import type { InvoiceState } from '@voltdeck/invoices/states';

/** The console's scale of states. Each tone has a colour and a shape, the same on every screen, chart and map. */
export const tones = ['free', 'charging', 'occupied', 'fault', 'offline'] as const;
export type Tone = (typeof tones)[number];

/** CSS values: `text` on `fill` meets AA in both themes, `mark` is for dots, lines and areas. */
export const toneColours: Readonly<Record<Tone, { text: string; fill: string; mark: string }>> = {
  free: { text: 'var(--free)', fill: 'var(--free-fill)', mark: 'var(--free-mark)' },
  charging: { text: 'var(--charging)', fill: 'var(--charging-fill)', mark: 'var(--charging-mark)' },
  occupied: { text: 'var(--occupied)', fill: 'var(--occupied-fill)', mark: 'var(--occupied-mark)' },
  fault: { text: 'var(--fault)', fill: 'var(--fault-fill)', mark: 'var(--fault-mark)' },
  offline: { text: 'var(--offline)', fill: 'var(--offline-fill)', mark: 'var(--offline-mark)' },
};

export const connectorTones: Readonly<Record<ConnectorState, Tone>> = {
  offline: 'offline',
  free: 'free',
  plugged_in: 'occupied',
  starting: 'charging',
  charging: 'charging',
  suspended: 'occupied',
  finishing: 'occupied',
  reserved: 'occupied',
  unavailable: 'offline',
  fault: 'fault',
};

export const connectorGroupTones: Readonly<Record<ConnectorGroup, Tone>> = {
  free: 'free',
  occupied: 'occupied',
  fault: 'fault',
  offline: 'offline',
};

export const orderTones: Readonly<Record<OrderState, Tone>> = {
  placed: 'occupied',
  charging: 'charging',
  settling: 'occupied',
  completed: 'free',
  cancelled: 'offline',
};

export const paymentTones: Readonly<Record<PaymentState, Tone>> = {
  unpaid: 'occupied',
  paid: 'free',
  partly_paid: 'occupied',
  refunded: 'offline',
  partly_refunded: 'offline',
  written_off: 'offline',
};

export const movementTones: Readonly<Record<MovementState, Tone>> = {
  done: 'free',
  partly_refunded: 'occupied',
  refunded: 'offline',
  reversed: 'offline',
};

export const refundTones: Readonly<Record<RefundState, Tone>> = {
  untreated: 'occupied',
  processing: 'charging',
  done: 'free',
  failed: 'fault',
  closed: 'offline',
};

export const channelPaymentTones: Readonly<Record<ChannelPaymentState, Tone>> = {
  created: 'offline',
  paying: 'charging',
  paid: 'free',
  closed: 'offline',
  failed: 'fault',
  unknown: 'occupied',
};
export const cardTones: Readonly<Record<CardState, Tone>> = {
  active: 'free',
  lost: 'occupied',
  disabled: 'offline',
  cancelled: 'offline',
};

export const groupTones: Readonly<Record<GroupState, Tone>> = { enabled: 'free', disabled: 'offline' };

export const groupMemberTones: Readonly<Record<GroupMemberState, Tone>> = {
  not_bound: 'offline',
  waiting: 'occupied',
  bound: 'free',
  refused: 'fault',
  released: 'offline',
};

export const agentTones: Readonly<Record<AgentState, Tone>> = { normal: 'free', frozen: 'fault' };

export const dividerTermTones: Readonly<Record<TermState, Tone>> = {
  to_come: 'occupied',
  in_force: 'free',
  over: 'offline',
};

export const customerTones: Readonly<Record<CustomerState, Tone>> = {
  normal: 'free',
  disabled: 'fault',
  merged: 'offline',
};

export const settlementTones: Readonly<Record<SettlementPeriod['state'], Tone>> = {
  open: 'occupied',
  closed: 'charging',
  paid_out: 'free',
};

export const withdrawalTones: Readonly<Record<WithdrawalState, Tone>> = {
  waiting: 'occupied',
  in_review: 'charging',
  withdrawn: 'free',
  failed: 'fault',
  processed: 'free',
};

export const invoiceTones: Readonly<Record<InvoiceState, Tone>> = {
  waiting: 'occupied',
  signing: 'charging',
  invoiced: 'free',
  failed: 'fault',
  signing_failed: 'fault',
  voiding: 'charging',
  voided: 'offline',
};

/** Whether a station runs the right tariff. */
export const tariffTone: Readonly<Record<TariffState, Tone>> = {
  current: 'free',
  differs: 'occupied',
  unknown: 'offline',
  none: 'fault',
};

export const onlineTone = (online: boolean): Tone => (online ? 'free' : 'offline');
export const enabledTone = (enabled: boolean): Tone => (enabled ? 'free' : 'offline');

/** The four price periods, from warm to cool, in the rule editor, the bill and every chart. */
export const periodColours = {
  sharp: 'var(--period-sharp)',
  peak: 'var(--period-peak)',
  flat: 'var(--period-flat)',
  valley: 'var(--period-valley)',
} as const;
