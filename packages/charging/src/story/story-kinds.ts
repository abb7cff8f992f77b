/**
 * What a story is told from, in the order in which one leads to the other at the same instant. A person who may not read
 * one of them gets the story without it.
 */
export const storySources = [
  'connection',
  'frame',
  'order',
  'ledger',
  'command',
  'reading',
  'refund',
  'payment',
  'approval',
  'person',
] as const;
export type StorySource = (typeof storySources)[number];

/** `main` makes the story; `detail` is folded away; `trouble` is what somebody should look at. */
export const storyWeights = ['main', 'detail', 'trouble'] as const;
export type StoryWeight = (typeof storyWeights)[number];

type Trait = { of: StorySource; weight: StoryWeight };
const told = (of: StorySource, weight: StoryWeight): Trait => ({ of, weight });

/** Every sentence a story may have. Its words are the phrase of the same name, filled with the entry's figures. */
export const storyTraits = {
  // A card is shown, or a charge requested.
  card_accepted: told('frame', 'detail'),
  card_unknown: told('frame', 'trouble'),
  card_disabled: told('frame', 'trouble'),
  card_expired: told('frame', 'trouble'),
  card_busy: told('frame', 'trouble'),
  card_too_little: told('frame', 'trouble'),
  card_empty: told('frame', 'trouble'),
  card_in_debt: told('frame', 'trouble'),
  card_refused: told('frame', 'trouble'),
  vehicle_unknown: told('frame', 'trouble'),
  station_closed: told('frame', 'trouble'),
  card_unanswered: told('frame', 'trouble'),
  start_agreed: told('command', 'detail'),
  start_waits_for_plug: told('command', 'main'),
  start_refused: told('command', 'trouble'),
  start_unanswered: told('command', 'trouble'),
  stop_agreed: told('command', 'detail'),
  stop_refused: told('command', 'trouble'),
  stop_unanswered: told('command', 'trouble'),
  // The station.
  booted: told('connection', 'main'),
  boot_refused: told('connection', 'trouble'),
  went_offline: told('connection', 'trouble'),
  came_online: told('connection', 'main'),
  silent: told('connection', 'trouble'),
  silent_idle: told('connection', 'detail'),
  charging_offline: told('connection', 'trouble'),
  begin_reported: told('frame', 'detail'),
  end_reported: told('frame', 'detail'),
  end_unanswered: told('frame', 'trouble'),
  port_state: told('frame', 'detail'),
  port_fault: told('frame', 'trouble'),
  exchange_failed: told('frame', 'detail'),
  // The charge.
  placed: told('order', 'main'),
  placed_by_card: told('order', 'main'),
  placement_failed: told('order', 'trouble'),
  never_began: told('order', 'trouble'),
  began: told('order', 'main'),
  began_refused: told('order', 'trouble'),
  stop_asked: told('order', 'main'),
  stop_asked_by_rule: told('order', 'main'),
  ended: told('order', 'main'),
  bill_late: told('order', 'trouble'),
  waits_for_person: told('order', 'trouble'),
  waits_for_stop: told('order', 'trouble'),
  settled: told('order', 'main'),
  settled_by_hand: told('order', 'main'),
  cancelled: told('order', 'main'),
  stop_assigned: told('order', 'detail'),
  flagged: told('order', 'trouble'),
  flag_handled: told('order', 'main'),
  order_placed: told('order', 'main'),
  order_ended: told('order', 'main'),
  order_cancelled: told('order', 'trouble'),
  order_owes: told('order', 'trouble'),
  order_waits: told('order', 'trouble'),
  first_energy: told('reading', 'main'),
  no_energy: told('reading', 'trouble'),
  readings_missing: told('reading', 'trouble'),
  meter_jump: told('reading', 'trouble'),
  meter_backwards: told('reading', 'trouble'),
  power_zero: told('reading', 'main'),
  last_energy: told('reading', 'detail'),
  energy_unread: told('reading', 'trouble'),
  // The money.
  held: told('ledger', 'main'),
  hold_extended: told('ledger', 'detail'),
  hold_released: told('ledger', 'main'),
  hold_released_late: told('ledger', 'trouble'),
  charged: told('ledger', 'main'),
  charged_owing: told('ledger', 'trouble'),
  shared: told('ledger', 'detail'),
  debt_repaid: told('ledger', 'main'),
  repayment_undone: told('ledger', 'trouble'),
  written_off: told('ledger', 'main'),
  money_moved: told('ledger', 'detail'),
  money_in: told('ledger', 'main'),
  money_out: told('ledger', 'main'),
  refunded: told('refund', 'main'),
  debt_forgiven: told('refund', 'main'),
  refund_waits: told('refund', 'trouble'),
  refund_failed: told('refund', 'trouble'),
  payment_asked: told('payment', 'detail'),
  payment_failed: told('payment', 'trouble'),
  payment_needs_person: told('payment', 'trouble'),
  invoice_applied: told('payment', 'detail'),
  invoice_issued: told('payment', 'main'),
  invoice_failed: told('payment', 'trouble'),
  credit_changed: told('payment', 'detail'),
  // People.
  approval_asked: told('approval', 'main'),
  approval_decided: told('approval', 'main'),
  person_acted: told('person', 'detail'),
} as const satisfies Readonly<Record<string, Trait>>;

export type StoryKind = keyof typeof storyTraits;
export const storyKinds = Object.keys(storyTraits) as [StoryKind, ...StoryKind[]];

/** What holds at this moment; the first of a story answers it in one sentence. */
export const storyNowKinds = [
  'waits_for_station',
  'charging',
  'charging_offline',
  'waits_for_person',
  'waits_for_stop',
  'settling',
  'paid',
  'free_of_charge',
  'owes',
  'owes_all',
  'refunded',
  'written_off',
  'cancelled',
  'hold_on',
  'flags_open',
  'waits_for_approval',
  'refund_open',
  'online',
  'offline',
  'never_online',
  'station_disabled',
  'ports_faulty',
  'ports_charging',
  'customer_normal',
  'customer_disabled',
  'customer_merged',
  'balance',
  'charges_running',
] as const;
export type StoryNowKind = (typeof storyNowKinds)[number];

/** Figures and names of a sentence; the unit stands last in a name. */
export type StoryParams = Readonly<Record<string, string | number | null>>;
export type Sentence = { kind: StoryKind; params: StoryParams };
export type NowSentence = { kind: StoryNowKind; params: StoryParams };
