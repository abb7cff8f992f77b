// Written by `npm run db:types` from the migrations; a test checks that it is current.
import type { Milliamperes, Millivolts, WattHours, Watts } from '@voltdeck/units/energy';
import type { Id } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen, PriceE5 } from '@voltdeck/units/money';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as it was parsed, written as JSON text (the driver would make a PostgreSQL array of a list). */
type Json = ColumnType<unknown, string, string>;

export interface AccessGiversTable {
  id: GeneratedAlways<Id<'access_giver'>>;
  user_id: Id<'user'>;
  giver_id: Id<'user'>;
  at: Instant;
}

export interface AdvertsTable {
  id: GeneratedAlways<Id<'advert'>>;
  title: string;
  picture_file_id: Id<'file'>;
  page: 'home' | 'charging' | 'account' | 'splash';
  link: Generated<string>;
  sort: Generated<number>;
  enabled: Generated<boolean>;
  created_at: Instant;
  changed_at: Instant;
}

export interface AgentRechargesTable {
  id: GeneratedAlways<Id<'agent_recharge'>>;
  number: string;
  agent_id: Id<'agent'>;
  amount_fen: Fen;
  balance_before_fen: Fen;
  balance_after_fen: Fen;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
  reversed_at: Instant | null;
  reversed_by: Id<'user'> | null;
  reversal_reason: string | null;
}

export interface AgentUsesTable {
  agent_id: Id<'agent'>;
  station_id: Id<'station'>;
  uses: number;
  amount_fen: Fen;
}

export interface AgentWithdrawalsTable {
  id: GeneratedAlways<Id<'agent_withdrawal'>>;
  number: string;
  party: 'agent' | 'divider';
  agent_id: Id<'agent'> | null;
  divider_id: Id<'divider'> | null;
  payee_kind: 'private' | 'corporate';
  payee_holder: string;
  payee_bank: string;
  payee_branch: string | null;
  payee_bank_code: string | null;
  payee_number: string;
  amount_fen: Fen;
  fee_fen: Fen;
  way: Generated<'bank' | 'other'>;
  state: Generated<'waiting' | 'in_review' | 'withdrawn' | 'failed' | 'processed'>;
  frozen: Generated<boolean>;
  remark: Generated<string>;
  failure: string | null;
  receipt: string | null;
  applied_by: Id<'user'>;
  applied_at: Instant;
  reviewed_by: Id<'user'> | null;
  reviewed_at: Instant | null;
  paid_by: Id<'user'> | null;
  paid_at: Instant | null;
  returned_by: Id<'user'> | null;
  returned_at: Instant | null;
  processed_at: Instant | null;
  holder_id: Id<'agent'> | null;
  receipt_key: string | null;
}

export interface AgentsTable {
  id: GeneratedAlways<Id<'agent'>>;
  name: string;
  parent_id: Id<'agent'> | null;
  phone: string | null;
  created_at: Generated<Instant>;
  rate_e4: Generated<number>;
  settlement_cycle: Generated<'t1' | 't7' | 'm1'>;
  settles_itself: Generated<boolean>;
  settlement_changed_at: Instant | null;
  kind: Generated<'agent' | 'individual' | 'self_run' | 'other'>;
  user_id: Id<'user'> | null;
  contact: Generated<string>;
  address: Generated<string>;
  credit_code: string | null;
  subscribed_on: string | null;
  payout_kind: 'private' | 'corporate' | null;
  payout_holder: string | null;
  payout_bank: string | null;
  payout_branch: string | null;
  payout_bank_code: string | null;
  payout_number: string | null;
  licence_file_id: Id<'file'> | null;
  frozen_at: Instant | null;
  frozen_reason: Generated<string>;
  created_by: Id<'user'> | null;
  frozen_by_platform: Generated<boolean>;
}

export interface ApprovalsTable {
  id: GeneratedAlways<Id<'approval'>>;
  number: string;
  kind: 'order_refund' | 'order_settlement' | 'transfer' | 'recharge' | 'recharge_refund' | 'withdrawal' | 'write_off' | 'reversal' | 'tariff_default' | 'card_cancellation' | 'gift' | 'gift_deduction' | 'agent_recharge' | 'customer_merge' | 'card_holder' | 'withdrawal_outcome' | 'agent_withdrawal' | 'agent_withdrawal_return' | 'share_correction' | 'partner_deposit' | 'partner_payment' | 'roaming_refund' | 'roaming_write_off';
  state: Generated<'waiting' | 'approved' | 'refused' | 'failed' | 'withdrawn' | 'obsolete'>;
  amount_fen: Fen | null;
  price_change_e5: number | null;
  agent_id: Id<'agent'> | null;
  subject_kind: string;
  subject_id: number;
  subject_text: string;
  detail: Json;
  reason: string;
  asker_id: Id<'user'>;
  asked_at: Instant;
  decider_id: Id<'user'> | null;
  decided_at: Instant | null;
  decision_reason: Generated<string>;
  failure: ColumnType<unknown, string | null | undefined, string | null>;
  result_id: number | null;
  facts: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface ArticlesTable {
  id: GeneratedAlways<Id<'article'>>;
  title: string;
  key: string | null;
  category: 'guide' | 'about' | 'other';
  sort: Generated<number>;
  remark: Generated<string>;
  enabled: Generated<boolean>;
  content: string;
  created_at: Instant;
  changed_at: Instant;
}

export interface AuditEntriesTable {
  id: GeneratedAlways<Id<'audit_entry'>>;
  at: Instant;
  user_id: Id<'user'> | null;
  action: string;
  record_kind: string;
  record_id: string;
  remote_address: Generated<string>;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  after: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface CaptchasTable {
  id: string;
  answer_hash: Buffer;
  expires_at: Instant;
}

export interface CardCancellationsTable {
  id: GeneratedAlways<Id<'card_cancellation'>>;
  number: string;
  card_id: Id<'card'>;
  payout: 'cash' | 'customer';
  customer_id: Id<'customer'> | null;
  agent_id: Id<'agent'> | null;
  paid_fen: Fen;
  gift_fen: Fen;
  reason: string;
  user_id: Id<'user'>;
  created_at: Instant;
}

export interface CardImportRowsTable {
  import_id: Id<'card_import'>;
  line: number;
  cells: Json;
  faults: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface CardImportsTable {
  id: GeneratedAlways<Id<'card_import'>>;
  user_id: Id<'user'>;
  file_name: string;
  ignored_columns: Generated<string[]>;
  total_count: number;
  good_count: number;
  imported_at: Instant | null;
  created_at: Instant;
}

export interface CardsTable {
  id: GeneratedAlways<Id<'card'>>;
  number: string;
  physical_number: string;
  state: Generated<'active' | 'lost' | 'disabled' | 'cancelled'>;
  customer_id: Id<'customer'> | null;
  agent_id: Id<'agent'> | null;
  expires_at: Instant | null;
  created_at: Generated<Instant>;
  type: Generated<'online' | 'offline'>;
  bound_at: Instant | null;
  tap_amount_fen: Fen | null;
  successor_id: Id<'card'> | null;
  lost_at: Instant | null;
}

export interface ChannelBillLinesTable {
  id: GeneratedAlways<Id<'channel_bill_line'>>;
  channel: 'wechat' | 'alipay' | 'embedded';
  day: string;
  line: number;
  kind: 'payment' | 'refund' | 'payout' | 'other';
  number: string | null;
  third_party_number: string | null;
  amount_fen: Fen;
  fee_fen: Fen;
  at: Instant | null;
  raw: Json;
}

export interface ChannelBillsTable {
  channel: 'wechat' | 'alipay' | 'embedded';
  day: string;
  lines: number;
  downloaded_at: Instant;
  failure: string | null;
}

export interface ChannelCallsTable {
  id: GeneratedAlways<Id<'channel_call'>>;
  at: Instant;
  channel: 'wechat' | 'alipay' | 'embedded';
  kind: string;
  number: string | null;
  request: string;
  response: string | null;
  status: number | null;
  outcome: 'answered' | 'refused' | 'unknown';
  problem: string | null;
  took_ms: number;
}

export interface ChannelNotificationsTable {
  id: GeneratedAlways<Id<'channel_notification'>>;
  at: Instant;
  channel: 'wechat' | 'alipay' | 'embedded';
  remote_address: string;
  nonce: string | null;
  kind: string | null;
  number: string | null;
  outcome: string;
  content: string;
}

export interface ChannelPaymentsTable {
  id: GeneratedAlways<Id<'channel_payment'>>;
  number: string;
  channel: 'wechat' | 'alipay' | 'embedded';
  purpose: string;
  card_id: Id<'card'> | null;
  customer_id: Id<'customer'> | null;
  amount_fen: Fen;
  title: string;
  state: Generated<'created' | 'paying' | 'paid' | 'closed' | 'failed' | 'unknown'>;
  code_url: string | null;
  page_token_hash: Buffer;
  notify_url: string;
  expires_at: Instant;
  third_party_number: string | null;
  paid_at: Instant | null;
  paid_fen: Fen | null;
  payer: string | null;
  result_code: string | null;
  result_text: string | null;
  attention: 'amount_differs' | 'paid_after_closing' | 'payer_gone' | null;
  recharge_id: Id<'recharge'> | null;
  user_id: Id<'user'> | null;
  asked_by_customer_id: Id<'customer'> | null;
  looks: Generated<number>;
  next_look_at: Instant | null;
  created_at: Instant;
  ended_at: Instant | null;
  booked_on: string | null;
}

export interface ChannelPayoutsTable {
  id: GeneratedAlways<Id<'channel_payout'>>;
  number: string;
  channel: 'wechat' | 'alipay' | 'embedded';
  payee: string;
  payee_name: string | null;
  amount_fen: Fen;
  remark: string;
  notify_url: string;
  state: Generated<'processing' | 'done' | 'failed'>;
  third_party_number: string | null;
  result_code: string | null;
  result_text: string | null;
  asked_at: Instant | null;
  attempts: Generated<number>;
  next_try_at: Instant | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
  ended_at: Instant | null;
  withdrawal_id: Id<'withdrawal'> | null;
  begun_at: Instant;
  awaits_payee: Generated<boolean>;
  payee_package: string | null;
  confirmation_ends_at: Instant | null;
  checked_at: Instant | null;
  booked_on: string | null;
}

export interface ChannelRefundsTable {
  id: GeneratedAlways<Id<'channel_refund'>>;
  number: string;
  payment_id: Id<'channel_payment'>;
  amount_fen: Fen;
  reason: string;
  state: Generated<'processing' | 'done' | 'failed'>;
  third_party_number: string | null;
  result_code: string | null;
  result_text: string | null;
  asked_at: Instant | null;
  attempts: Generated<number>;
  next_try_at: Instant | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
  ended_at: Instant | null;
  booked_on: string | null;
}

export interface ChargeNotesTable {
  at: Instant;
  id: GeneratedAlways<Id<'charge_note'>>;
  order_id: Id<'order'> | null;
  station_id: Id<'station'>;
  connector_number: number;
  kind: string;
  detail: Json;
}

export interface ConfigsTable {
  key: string;
  name: string;
  value: string;
  remark: Generated<string>;
  public: Generated<boolean>;
  secret: Generated<boolean>;
  changed_at: Generated<Instant>;
  id: GeneratedAlways<Id<'config'>>;
  sealed: Buffer | null;
  built_in: Generated<boolean>;
  created_at: Generated<Instant>;
  name_key: string | null;
  remark_key: string | null;
}

export interface ConnectorsTable {
  id: GeneratedAlways<Id<'connector'>>;
  station_id: Id<'station'>;
  number: number;
  name: string;
  open: Generated<boolean>;
  state: Generated<'offline' | 'free' | 'plugged_in' | 'starting' | 'charging' | 'suspended' | 'finishing' | 'reserved' | 'unavailable' | 'fault'>;
  state_at: Instant | null;
  fault_code: string | null;
  fault_info: string | null;
  ground_lock: 'moving' | 'raised' | 'lowered' | null;
  parking_bay: 'free' | 'occupied' | null;
  ground_lock_battery: number | null;
  ground_lock_alarm: string | null;
  ground_lock_at: Instant | null;
  registered: Generated<boolean>;
  bay_number: string | null;
  kind: 'household_socket' | 'ac_socket' | 'ac_plug' | 'dc_plug' | 'wireless' | 'other' | null;
  national_standard: '2011' | '2015' | '2023' | null;
  rated_voltage_min_v: number | null;
  rated_voltage_max_v: number | null;
  rated_current_a: number | null;
  rated_power_w: Watts | null;
}

export interface CouponsTable {
  id: GeneratedAlways<Id<'coupon'>>;
  name: string;
  kind: 'amount' | 'percent';
  amount_fen: Fen | null;
  percent: number | null;
  max_fen: Fen | null;
  site_ids: number[] | null;
  from_at: Instant | null;
  to_at: Instant | null;
  bearer: 'site' | 'platform';
  budget_fen: Fen | null;
  used_fen: Generated<Fen>;
  stopped_at: Instant | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface CreditMovementsTable {
  id: GeneratedAlways<Id<'credit_movement'>>;
  customer_id: Id<'customer'>;
  kind: 'order_paid' | 'order_refunded' | 'adjusted';
  order_id: Id<'order'> | null;
  amount_fen: Fen;
  points_e2: number;
  after_e2: number;
  reason: Generated<string>;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface CreditsTable {
  customer_id: Id<'customer'>;
  score_e2: number;
  consumed_fen: Fen;
}

export interface CustomerCouponsTable {
  id: GeneratedAlways<Id<'customer_coupon'>>;
  coupon_id: Id<'coupon'>;
  customer_id: Id<'customer'>;
  user_id: Id<'user'> | null;
  given_at: Instant;
  order_id: Id<'order'> | null;
  used_at: Instant | null;
  amount_fen: Fen | null;
}

export interface CustomerSessionsTable {
  id: GeneratedAlways<Id<'customer_session'>>;
  customer_id: Id<'customer'>;
  token_hash: Buffer;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  ended_because: 'logout' | 'disabled' | 'too_many' | null;
  remote_address: string;
  user_agent: Generated<string>;
}

export interface CustomersTable {
  id: GeneratedAlways<Id<'customer'>>;
  phone: string;
  nickname: string;
  state: Generated<'normal' | 'disabled' | 'merged'>;
  created_at: Generated<Instant>;
  state_reason: Generated<string>;
  merged_into_id: Id<'customer'> | null;
}

export interface DebtRepaymentsTable {
  id: GeneratedAlways<Id<'debt_repayment'>>;
  order_id: Id<'order'>;
  recharge_id: Id<'recharge'> | null;
  amount_fen: Fen;
  created_at: Instant;
  reversed_at: Instant | null;
  gift_fen: Generated<Fen>;
}

export interface DebtWriteOffsTable {
  id: GeneratedAlways<Id<'debt_write_off'>>;
  order_id: Id<'order'>;
  amount_fen: Fen;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface DividerTermsTable {
  id: GeneratedAlways<Id<'divider_term'>>;
  divider_id: Id<'divider'>;
  agent_id: Id<'agent'> | null;
  site_id: Id<'site'> | null;
  station_id: Id<'station'> | null;
  electricity_e4: number;
  service_e4: number;
  occupancy_e4: number;
  from_at: Instant;
  to_at: Instant | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
  ended_by: Id<'user'> | null;
  ended_at: Instant | null;
}

export interface DividersTable {
  id: GeneratedAlways<Id<'divider'>>;
  name: string;
  phone: string | null;
  agent_id: Id<'agent'> | null;
  enabled: Generated<boolean>;
  remark: Generated<string>;
  created_at: Instant;
  settlement_cycle: Generated<'t1' | 't7' | 'm1'>;
  settles_itself: Generated<boolean>;
  settlement_changed_at: Instant | null;
  entered_on: Generated<string>;
  created_by: Id<'user'> | null;
  payout_kind: 'private' | 'corporate' | null;
  payout_holder: string | null;
  payout_bank: string | null;
  payout_branch: string | null;
  payout_bank_code: string | null;
  payout_number: string | null;
}

export interface EmbeddedInvoicesTable {
  request_number: string;
  invoice_number: string;
  state: 'issued' | 'voided';
  issued_at: Instant;
}

export interface EmbeddedNotificationsTable {
  id: GeneratedAlways<Id<'embedded_notification'>>;
  event: string;
  created_at: Instant;
  delivered_at: Instant | null;
}

export interface EmbeddedPaymentsTable {
  number: string;
  amount_fen: Fen;
  title: string;
  state: Generated<'waiting' | 'hanging' | 'paid' | 'closed'>;
  third_party_number: string;
  expires_at: Instant;
  paid_at: Instant | null;
  created_at: Instant;
}

export interface EmbeddedReturnsTable {
  number: string;
  kind: 'refund' | 'payout';
  payment_number: string | null;
  amount_fen: Fen;
  third_party_number: string;
  created_at: Instant;
  done_at: Instant | null;
}

export interface FeedbacksTable {
  id: GeneratedAlways<Id<'feedback'>>;
  kind: 'cannot_start' | 'connector_broken' | 'slow' | 'bay_occupied' | 'billing' | 'suggestion' | 'other';
  state: Generated<'waiting' | 'handled' | 'ignored'>;
  description: string;
  phone: Generated<string>;
  customer_id: Id<'customer'> | null;
  agent_id: Id<'agent'> | null;
  station_id: Id<'station'> | null;
  station_number: Generated<string>;
  picture_keys: Generated<string[]>;
  annotation: Generated<string>;
  reply: Generated<string>;
  handled_by: Id<'user'> | null;
  handled_at: Instant | null;
  created_at: Instant;
}

export interface FilesTable {
  id: GeneratedAlways<Id<'file'>>;
  key: string;
  name: string;
  description: Generated<string>;
  content_type: string;
  size_bytes: number;
  sha256: Buffer;
  purpose: 'editor' | 'advert' | 'site' | 'avatar' | 'feedback' | 'document' | 'licence' | 'task' | 'invoice' | 'grid_bill';
  public: boolean;
  width_px: number | null;
  height_px: number | null;
  user_id: Id<'user'> | null;
  agent_id: Id<'agent'> | null;
  created_at: Instant;
}

export interface FilterSetsTable {
  id: GeneratedAlways<Id<'filter_set'>>;
  user_id: Id<'user'>;
  list: string;
  name: string;
  query: string;
  is_first: Generated<boolean>;
}

export interface FinanceProgressTable {
  only_row: Generated<boolean>;
  kept_to: Generated<number>;
}

export interface FirstChargesTable {
  order_id: Id<'order'>;
  customer_id: Id<'customer'> | null;
  card_id: Id<'card'> | null;
}

export interface GridBillImportRowsTable {
  import_id: Id<'grid_bill_import'>;
  line: number;
  cells: Json;
  faults: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface GridBillImportsTable {
  id: GeneratedAlways<Id<'grid_bill_import'>>;
  user_id: Id<'user'>;
  file_name: string;
  ignored_columns: Generated<string[]>;
  total_count: number;
  good_count: number;
  imported_at: Instant | null;
  created_at: Instant;
}

export interface GridBillsTable {
  id: GeneratedAlways<Id<'grid_bill'>>;
  version: Generated<number>;
  site_id: Id<'site'>;
  account_number: string;
  from_on: string;
  to_on: string;
  sharp_wh: WattHours | null;
  peak_wh: WattHours | null;
  flat_wh: WattHours | null;
  valley_wh: WattHours | null;
  sharp_price_e5: PriceE5 | null;
  peak_price_e5: PriceE5 | null;
  flat_price_e5: PriceE5 | null;
  valley_price_e5: PriceE5 | null;
  energy_wh: WattHours;
  register_from_wh: WattHours | null;
  register_to_wh: WattHours | null;
  multiplier: Generated<number>;
  amount_fen: Fen;
  remark: Generated<string>;
  file_id: Id<'file'> | null;
  locked_at: Instant | null;
  locked_by: Id<'user'> | null;
  created_by: Id<'user'> | null;
  created_at: Instant;
  changed_by: Id<'user'> | null;
  changed_at: Instant;
  agent_id: Id<'agent'> | null;
  locked_by_platform: Generated<boolean>;
}

export interface GroupAllocationsTable {
  id: GeneratedAlways<Id<'group_allocation'>>;
  number: string;
  kind: 'allocated' | 'taken_back' | 'returned';
  group_id: Id<'group'>;
  member_id: Id<'group_member'>;
  amount_fen: Fen;
  remark: Generated<string>;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface GroupMemberImportRowsTable {
  import_id: Id<'group_member_import'>;
  line: number;
  cells: Json;
  faults: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface GroupMemberImportsTable {
  id: GeneratedAlways<Id<'group_member_import'>>;
  user_id: Id<'user'>;
  group_id: Id<'group'>;
  file_name: string;
  ignored_columns: Generated<string[]>;
  total_count: number;
  good_count: number;
  imported_at: Instant | null;
  created_at: Instant;
}

export interface GroupMembersTable {
  id: GeneratedAlways<Id<'group_member'>>;
  group_id: Id<'group'>;
  agent_id: Id<'agent'> | null;
  phone: string;
  name: Generated<string>;
  customer_id: Id<'customer'> | null;
  state: 'not_bound' | 'waiting' | 'bound' | 'refused' | 'released';
  source: 'office' | 'member';
  opinion: Generated<string>;
  is_agreed: Generated<boolean>;
  month_limit_fen: Fen | null;
  month_limit_charges: number | null;
  reviewed_by: Id<'user'> | null;
  reviewed_at: Instant | null;
  released_at: Instant | null;
  created_at: Instant;
}

export interface GroupSitesTable {
  group_id: Id<'group'>;
  site_id: Id<'site'>;
}

export interface GroupsTable {
  id: GeneratedAlways<Id<'group'>>;
  name: string;
  contact: string;
  contact_phone: string;
  card_number: string;
  state: Generated<'enabled' | 'disabled'>;
  funding: Generated<'shared' | 'allocated'>;
  agent_id: Id<'agent'> | null;
  month_limit_fen: Fen | null;
  month_limit_charges: number | null;
  all_sites: Generated<boolean>;
  hours: Generated<string>;
  title: Generated<string>;
  tax_number: Generated<string>;
  title_address: Generated<string>;
  title_phone: Generated<string>;
  bank: Generated<string>;
  bank_account: Generated<string>;
  email: Generated<string>;
  remark: Generated<string>;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface IdempotencyKeysTable {
  caller_id: number;
  key: string;
  route: string;
  request_hash: Buffer;
  status: number | null;
  answer: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Instant;
  caller_kind: Generated<'user' | 'customer'>;
}

export interface InteractionLogsTable {
  at: Instant;
  id: GeneratedAlways<Id<'interaction_log'>>;
  station_id: Id<'station'>;
  protocol: string;
  direction: string;
  action: string | null;
  message_id: string | null;
  request: string;
  answer: string | null;
  latency_ms: number | null;
  fault: string | null;
}

export interface InvoiceCallsTable {
  id: GeneratedAlways<Id<'invoice_call'>>;
  at: Instant;
  provider: 'embedded' | 'nuonuo';
  kind: string;
  number: string | null;
  request_id: string | null;
  request: string;
  response: string | null;
  status: number | null;
  outcome: 'answered' | 'refused' | 'unknown';
  problem: string | null;
  took_ms: number;
}

export interface InvoiceEventsTable {
  id: GeneratedAlways<Id<'invoice_event'>>;
  invoice_id: Id<'invoice'>;
  at: Instant;
  event: string;
  user_id: Id<'user'> | null;
  text: Generated<string>;
}

export interface InvoiceOrdersTable {
  invoice_id: Id<'invoice'>;
  order_id: Id<'order'>;
  energy_wh: WattHours;
  amount_fen: Fen;
  electricity_fen: Fen;
  service_fen: Fen;
  stands: Generated<boolean>;
}

export interface InvoiceSellersTable {
  id: GeneratedAlways<Id<'invoice_seller'>>;
  agent_id: Id<'agent'> | null;
  name: string;
  tax_number: Generated<string>;
  address: Generated<string>;
  phone: Generated<string>;
  bank: Generated<string>;
  bank_account: Generated<string>;
  drawer: Generated<string>;
  checker: Generated<string>;
  payee: Generated<string>;
  electricity_rate_bp: number;
  service_rate_bp: number;
  electricity_tax_code: Generated<string>;
  service_tax_code: Generated<string>;
  allowed: 'none' | 'ordinary' | 'special' | 'both';
  terminal: Generated<string>;
  changed_by: Id<'user'> | null;
  changed_at: Instant;
}

export interface InvoiceTitlesTable {
  id: GeneratedAlways<Id<'invoice_title'>>;
  customer_id: Id<'customer'>;
  title_kind: 'personal' | 'company';
  title: string;
  tax_number: Generated<string>;
  address: Generated<string>;
  phone: Generated<string>;
  bank: Generated<string>;
  bank_account: Generated<string>;
  email: Generated<string>;
  is_default: Generated<boolean>;
  created_at: Instant;
}

export interface InvoicesTable {
  id: GeneratedAlways<Id<'invoice'>>;
  number: string;
  kind: 'blue' | 'red';
  original_id: Id<'invoice'> | null;
  type: 'ordinary' | 'special';
  agent_id: Id<'agent'> | null;
  customer_id: Id<'customer'> | null;
  title_kind: 'personal' | 'company';
  title: string;
  tax_number: Generated<string>;
  address: Generated<string>;
  phone: Generated<string>;
  bank: Generated<string>;
  bank_account: Generated<string>;
  email: Generated<string>;
  remark: Generated<string>;
  seller: ColumnType<unknown, string | null | undefined, string | null>;
  order_count: number;
  energy_wh: WattHours;
  amount_fen: Fen;
  net_fen: Fen;
  tax_fen: Fen;
  electricity_fen: Fen;
  electricity_tax_fen: Fen;
  electricity_rate_bp: number;
  service_fen: Fen;
  service_tax_fen: Fen;
  service_rate_bp: number;
  state: 'waiting' | 'signing' | 'invoiced' | 'failed' | 'signing_failed' | 'voiding' | 'voided';
  step: 'review' | 'issuing' | 'issuing_person' | 'signing' | 'issued' | 'refused' | 'rejected' | 'signing_failed' | 'voiding' | 'voiding_person' | 'reddening' | 'voided' | 'reddened';
  external_code: string;
  rejection_reason: string | null;
  failure: string | null;
  person_step: string | null;
  red_reason: string | null;
  attention: 'red_letter_needed' | 'amount_changed' | null;
  delivery: 'waiting' | 'sent' | 'by_hand' | 'failed' | null;
  provider: 'embedded' | 'nuonuo' | null;
  request_number: string | null;
  attempts: Generated<number>;
  asked_at: Instant | null;
  step_at: Instant;
  next_try_at: Instant | null;
  provider_serial: string | null;
  invoice_code: string | null;
  invoice_number: string | null;
  issued_at: Instant | null;
  document_file_id: Id<'file'> | null;
  applied_by: Id<'user'> | null;
  applied_at: Instant;
  reviewed_by: Id<'user'> | null;
  reviewed_at: Instant | null;
  is_part: Generated<boolean>;
  reddened_electricity_fen: Generated<Fen>;
  reddened_service_fen: Generated<Fen>;
  delivery_tries: Generated<number>;
  delivery_next_at: Instant | null;
  delivery_problem: string | null;
  doubt: 'no_answer' | 'other_amount' | 'number_taken' | 'bad_number' | null;
  group_id: Id<'group'> | null;
}

export interface KeptSumProofsTable {
  id: GeneratedAlways<Id<'kept_sum_proof'>>;
  day: string;
  proven_at: Instant;
  took_ms: number;
  differing: number | null;
  failure: 'out_of_time' | 'sums_behind' | 'other' | null;
}

export interface LedgerAccountsTable {
  id: GeneratedAlways<Id<'account'>>;
  key: string;
  may_go_below_zero: boolean;
  balance_fen: Generated<Fen>;
  shard: Generated<number>;
  prefix: GeneratedAlways<string>;
  owner_id: GeneratedAlways<number | null>;
}

export interface LedgerDaysTable {
  day: string;
  account: string;
  change_fen: Fen;
}

export interface LedgerDifferencesTable {
  account_id: Id<'account'>;
  kept_fen: Fen;
  posted_fen: Fen;
  found_at: Instant;
}

export interface LedgerPostingsTable {
  transfer_id: Id<'transfer'>;
  line: number;
  from_account_id: Id<'account'>;
  to_account_id: Id<'account'>;
  amount_fen: Fen;
}

export interface LedgerProofTable {
  only_row: Generated<boolean>;
  proven_to: Generated<number>;
  compared_to: Generated<number>;
  round_ended_at: Instant | null;
}

export interface LedgerProofRunsTable {
  id: GeneratedAlways<Id<'proof_run'>>;
  kind: 'new' | 'whole';
  began_at: Instant;
  took_ms: number;
  outcome: 'compared' | 'behind' | 'in-flight';
  proven_to: number;
  behind: number;
  transfers: number;
  differences: number;
  sum_fen: Fen | null;
  user_id: Id<'user'> | null;
  found: ColumnType<unknown, string | undefined, string>;
}

export interface LedgerProvenSumsTable {
  account_id: Id<'account'>;
  sum_fen: Fen;
}

export interface LedgerTransfersTable {
  id: GeneratedAlways<Id<'transfer'>>;
  key: string;
  reason: string;
  order_id: Id<'order'> | null;
  created_at: Instant;
  position: GeneratedAlways<number>;
  amount_fen: Fen;
}

export interface ListColumnsTable {
  user_id: Id<'user'>;
  list: string;
  choice: Json;
}

export interface LoginFailuresTable {
  subject: string;
  failures: number;
  last_failed_at: Instant;
  locked_until_at: Instant | null;
}

export interface MenusTable {
  code: string;
  parent_code: string | null;
  name_zh: string;
  name_en: string;
  frontend_url: string | null;
  icon: string | null;
  kind: 'menu' | 'button';
  permission: string | null;
  sort: number;
  shown: Generated<boolean>;
  enabled: Generated<boolean>;
  built_in: Generated<boolean>;
  backend_url: Generated<string>;
}

export interface MigrationsTable {
  number: number;
  name: string;
  checksum: string;
  applied_at: Generated<Instant>;
}

export interface MovementsTable {
  id: GeneratedAlways<Id<'movement'>>;
  transfer_id: Id<'transfer'>;
  number: string;
  type: 'recharge' | 'consume' | 'gift' | 'system_recharge' | 'transfer' | 'order_refund' | 'withdrawal' | 'gift_deducted' | 'refund_failed' | 'allocated' | 'taken_back';
  card_id: Id<'card'> | null;
  customer_id: Id<'customer'> | null;
  agent_id: Id<'agent'> | null;
  paid_fen: Fen;
  gift_fen: Fen;
  paid_after_fen: Fen;
  gift_after_fen: Fen;
  order_id: Id<'order'> | null;
  recharge_id: Id<'recharge'> | null;
  channel: 'front-desk' | 'back-office' | 'bank' | 'wechat' | 'alipay' | 'embedded' | null;
  user_id: Id<'user'> | null;
  remark: Generated<string>;
  created_at: Instant;
  state: Generated<'done' | 'refunded' | 'partly_refunded' | 'reversed'>;
  group_id: Id<'group'> | null;
  member_id: number | null;
  partner_id: Id<'partner'> | null;
}

export interface OrderCurvesTable {
  order_id: Id<'order'>;
  points: Json;
}

export interface OrderFlagsTable {
  order_id: Id<'order'>;
  rule: string;
  at: Instant;
  evidence: Json;
  handled_at: Instant | null;
  handled_by: Id<'user'> | null;
  handled_how: 'accepted' | 'settled' | 'cancelled' | 'refunded' | 'dismissed' | 'assigned' | null;
  handled_reason: Generated<string>;
}

export interface OrderLinesTable {
  order_id: Id<'order'>;
  line: number;
  kind: 'energy' | 'hour';
  from_at: Instant;
  to_at: Instant;
  period: 'sharp' | 'peak' | 'flat' | 'valley' | null;
  energy_wh: WattHours;
  electricity_price_e5: PriceE5 | null;
  service_price_e5: PriceE5 | null;
  tier_from_w: Watts | null;
  tier_to_w: Watts | null;
  steps: number | null;
  step_minutes: number | null;
  fee_fen_per_step: Fen | null;
  electricity_fee_fen: Fen;
  service_fee_fen: Fen;
}

export interface OrderRefundsTable {
  id: GeneratedAlways<Id<'order_refund'>>;
  order_id: Id<'order'>;
  amount_fen: Fen;
  electricity_fee_fen: Fen;
  service_fee_fen: Fen;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
  forgiven_fen: Generated<Fen>;
  gift_fen: Generated<Fen>;
  number: string;
  state: Generated<'untreated' | 'processing' | 'done' | 'failed' | 'closed'>;
  channel: Generated<'balance' | 'original'>;
  third_party_number: string | null;
  result: Generated<string>;
  done_at: Instant | null;
  agent_id: Id<'agent'> | null;
  site_id: Id<'site'>;
  customer_id: Id<'customer'> | null;
  card_id: Id<'card'> | null;
}

export interface OrderSharesTable {
  id: GeneratedAlways<Id<'order_share'>>;
  order_id: Id<'order'>;
  number: number;
  party: 'platform' | 'agent' | 'divider';
  agent_id: Id<'agent'> | null;
  divider_id: Id<'divider'> | null;
  reason: 'channel_fee' | 'commission' | 'rate' | 'remainder' | 'coupon';
  electricity_fen: Fen;
  service_fen: Fen;
  occupancy_fen: Fen;
  amount_fen: GeneratedAlways<Fen>;
  site_id: Id<'site'>;
  period_id: Id<'settlement_period'> | null;
  created_at: Instant;
}

export interface OrdersTable {
  id: GeneratedAlways<Id<'order'>>;
  number: string;
  state: 'placed' | 'charging' | 'settling' | 'completed' | 'cancelled';
  payment_state: Generated<'unpaid' | 'paid' | 'partly_paid' | 'refunded' | 'partly_refunded' | 'written_off'>;
  payment_type: 'card' | 'online' | 'group' | 'member' | 'partner' | 'none';
  start_mode: 'card' | 'remote' | 'scan' | 'vin' | 'partner' | 'test';
  billing_type: 'energy' | 'hour';
  abnormal: Generated<boolean>;
  site_id: Id<'site'>;
  station_id: Id<'station'>;
  connector_id: Id<'connector'>;
  connector_number: number;
  agent_id: Id<'agent'> | null;
  customer_id: Id<'customer'> | null;
  card_id: Id<'card'> | null;
  card_number: string | null;
  transaction_number: number | null;
  start_key: string | null;
  start_authorization: string | null;
  tariff_id: Id<'tariff'> | null;
  tariff: ColumnType<unknown, string | null | undefined, string | null>;
  meter_start_wh: WattHours | null;
  meter_stop_wh: WattHours | null;
  energy_wh: Generated<WattHours>;
  amount_fen: Generated<Fen>;
  electricity_fee_fen: Generated<Fen>;
  service_fee_fen: Generated<Fen>;
  held_fen: Generated<Fen>;
  holds: Generated<number>;
  paid_fen: Generated<Fen>;
  refunded_fen: Generated<Fen>;
  balance_before_fen: Fen | null;
  power_w: Watts | null;
  soc_percent: number | null;
  placed_at: Instant;
  started_at: Instant | null;
  last_reading_at: Instant | null;
  ended_at: Instant | null;
  settled_at: Instant | null;
  stop_reason: string | null;
  timeline: ColumnType<unknown, string | undefined, string>;
  transaction_key: string | null;
  vin: string | null;
  station_bill: ColumnType<unknown, string | null | undefined, string | null>;
  stop_code: string | null;
  parallel_key: string | null;
  waits_for: 'stop' | 'person' | null;
  proposal: ColumnType<unknown, string | null | undefined, string | null>;
  priced_by: 'station_periods' | 'readings' | 'hand' | null;
  begun_at: Instant | null;
  forgiven_fen: Generated<Fen>;
  was_placed: Generated<boolean>;
  stop_key: string | null;
  plate: string | null;
  held_gift_fen: Generated<Fen>;
  gift_paid_fen: Generated<Fen>;
  refunded_gift_fen: Generated<Fen>;
  discount_fen: Generated<Fen>;
  written_off_fen: Generated<Fen>;
  unhandled: Generated<boolean>;
  share_plan: ColumnType<unknown, string | null | undefined, string | null>;
  group_id: Id<'group'> | null;
  group_member_id: Id<'group_member'> | null;
  partner_id: Id<'partner'> | null;
  owed_fen: GeneratedAlways<Fen>;
}

export interface PartnerChargesTable {
  id: GeneratedAlways<Id<'partner_charge'>>;
  partner_id: Id<'partner'>;
  sequence: string;
  order_id: Id<'order'> | null;
  port_id: string;
  connector_id: Id<'connector'> | null;
  refusal: string | null;
  stop_asked_at: Instant | null;
  status_due_at: Instant | null;
  soc_begin_percent: number | null;
  soc_end_percent: number | null;
  confirmation: 'confirmed' | 'disputed' | null;
  confirm_result: number | null;
  confirmed_at: Instant | null;
  checked_at: Instant | null;
  dispute: string | null;
  created_at: Instant;
}

export interface PartnerDeliveriesTable {
  id: GeneratedAlways<Id<'partner_delivery'>>;
  partner_id: Id<'partner'>;
  kind: 'status' | 'start_result' | 'charge_status' | 'stop_result' | 'order' | 'order_check' | 'station' | 'power';
  subject: string;
  order_id: Id<'order'> | null;
  connector_id: Id<'connector'> | null;
  site_id: Id<'site'> | null;
  day: string | null;
  state: Generated<'pending' | 'delivered' | 'failed' | 'superseded'>;
  tries: Generated<number>;
  version: Generated<number>;
  next_at: Instant | null;
  http_status: number | null;
  ret: number | null;
  answer: Generated<string>;
  created_at: Instant;
  done_at: Instant | null;
}

export interface PartnerEnvelopesTable {
  partner_id: Id<'partner'>;
  key: Buffer;
  expires_at: Instant;
}

export interface PartnerExchangesTable {
  id: GeneratedAlways<Id<'partner_exchange'>>;
  at: Instant;
  partner_id: Id<'partner'> | null;
  direction: 'in' | 'out';
  interface: string;
  request: string;
  answer: string;
  http_status: number | null;
  ret: number | null;
  took_ms: number;
  address: Generated<string>;
}

export interface PartnerKeysTable {
  id: GeneratedAlways<Id<'partner_key'>>;
  partner_id: Id<'partner'>;
  direction: 'inbound' | 'outbound';
  sealed: Buffer;
  from_at: Instant;
  ended_at: Instant | null;
  user_id: Id<'user'> | null;
}

export interface PartnerLoginsTable {
  partner_id: Id<'partner'>;
  sealed: Buffer;
  refresh_at: Instant;
  expires_at: Instant;
}

export interface PartnerPaymentsTable {
  id: GeneratedAlways<Id<'partner_payment'>>;
  partner_id: Id<'partner'>;
  amount_fen: Fen;
  payable_after_fen: Fen;
  remark: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface PartnerPullChangesTable {
  id: GeneratedAlways<Id<'partner_pull_change'>>;
  pull_id: Id<'partner_pull'>;
  change: 'added' | 'changed' | 'missing' | 'left_out';
  code: string;
  name: string;
}

export interface PartnerPullsTable {
  id: GeneratedAlways<Id<'partner_pull'>>;
  partner_id: Id<'partner'>;
  kind: 'full' | 'incremental';
  state: Generated<'running' | 'done' | 'failed'>;
  started_at: Instant;
  ended_at: Instant | null;
  sites: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  missing: Generated<number>;
  left_out: Generated<number>;
  failure: Generated<string>;
  user_id: Id<'user'> | null;
  fault: string | null;
}

export interface PartnerSitesTable {
  partner_id: Id<'partner'>;
  site_id: Id<'site'>;
  tariff_id: Id<'tariff'> | null;
  user_id: Id<'user'> | null;
  opened_at: Instant;
  power_due_at: Generated<Instant>;
}

export interface PartnerTokensTable {
  id: GeneratedAlways<Id<'partner_token'>>;
  hash: Buffer;
  partner_id: Id<'partner'>;
  issued_at: Instant;
  expires_at: Instant;
}

export interface PartnersTable {
  id: GeneratedAlways<Id<'partner'>>;
  version: Generated<number>;
  operator_id: string;
  name: string;
  role: 'demand' | 'infrastructure' | 'both' | 'supervision';
  enabled: Generated<boolean>;
  environment: Generated<'test' | 'production'>;
  credit_code: Generated<string>;
  platform_name: Generated<string>;
  docking_code: Generated<string>;
  contact: Generated<string>;
  contact_phone: Generated<string>;
  service_phone: Generated<string>;
  second_service_phone: Generated<string>;
  address: Generated<string>;
  remark: Generated<string>;
  base_url: Generated<string>;
  interface_urls: ColumnType<unknown, string | undefined, string>;
  allowed_addresses: Generated<string[]>;
  profile: ColumnType<unknown, string | undefined, string>;
  pushing: Generated<boolean>;
  pushes: Generated<string[]>;
  rate_per_second: Generated<number>;
  tariff_id: Id<'tariff'> | null;
  start_balance_min_fen: Generated<Fen>;
  delivery_ends_at: Instant | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
  changed_at: Instant;
  pulling: Generated<boolean>;
}

export interface PayoutAccountChangesTable {
  id: GeneratedAlways<Id<'payout_account_change'>>;
  agent_id: Id<'agent'> | null;
  divider_id: Id<'divider'> | null;
  holder_before: string | null;
  bank_before: string | null;
  number_before: string | null;
  holder: string | null;
  bank: string | null;
  number: string | null;
  changed_by: Id<'user'>;
  changed_at: Instant;
}

export interface PortFaultsTable {
  id: GeneratedAlways<Id<'port_fault'>>;
  connector_id: Id<'connector'>;
  station_id: Id<'station'>;
  from_at: Instant;
  attended_at: Instant | null;
  to_at: Instant | null;
}

export interface PositionsTable {
  id: GeneratedAlways<Id<'position'>>;
  name: string;
  description: Generated<string>;
  data_scope: 'platform' | 'agent_tree' | 'agent' | 'divider' | 'self';
  created_at: Generated<Instant>;
  menu_codes: Generated<string[]>;
  agent_id: Id<'agent'> | null;
  name_key: string | null;
}

export interface PowerSamplesTable {
  at: Instant;
  agent_id: Id<'agent'> | null;
  equipment_type: 'two-wheel' | 'four-wheel';
  charging: number;
  power_w: Watts;
}

export interface PriceChangeStationsTable {
  id: GeneratedAlways<Id<'price_change_station'>>;
  price_change_id: Id<'price_change'>;
  station_id: Id<'station'>;
  agent_id: Id<'agent'> | null;
  state: Generated<'waiting' | 'sent' | 'taken' | 'refused' | 'offline' | 'skipped'>;
  reason: string | null;
  applied_at: Instant | null;
  sent_at: Instant | null;
  answered_at: Instant | null;
}

export interface PriceChangesTable {
  id: GeneratedAlways<Id<'price_change'>>;
  name: string;
  rule_id: Id<'tariff'>;
  slots: 'card' | 'wechat' | 'both';
  effective_at: Instant;
  remark: Generated<string>;
  state: Generated<'waiting' | 'applied' | 'cancelled'>;
  agent_id: Id<'agent'> | null;
  created_by: Id<'user'> | null;
  created_at: Instant;
  tariff_id: Id<'tariff'> | null;
  applied_at: Instant | null;
  cancelled_at: Instant | null;
  finished_at: Instant | null;
}

export interface PromotionUsesTable {
  recharge_id: Id<'recharge'>;
  promotion_id: Id<'promotion'>;
  customer_id: Id<'customer'> | null;
  card_id: Id<'card'> | null;
}

export interface PromotionsTable {
  id: GeneratedAlways<Id<'promotion'>>;
  name: string;
  satisfied_fen: Fen;
  gift_fen: Fen;
  effective: Generated<boolean>;
  displayed: Generated<boolean>;
  from_at: Instant | null;
  to_at: Instant | null;
  times_per_person: number | null;
  scope: Generated<'wallet' | 'card' | 'both'>;
  agent_id: Id<'agent'> | null;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface PulledPortsTable {
  id: GeneratedAlways<Id<'pulled_port'>>;
  station_id: Id<'pulled_station'>;
  partner_id: Id<'partner'>;
  code: string;
  name: string | null;
  kind: string;
  national_standard: string;
  voltage_min_v: number;
  voltage_max_v: number;
  current_a: number;
  power_w: Watts;
  bay_number: string | null;
  state: Generated<string>;
  bay: string | null;
  lock: string | null;
  state_at: Instant | null;
  added_at: Instant;
}

export interface PulledSitesTable {
  id: GeneratedAlways<Id<'pulled_site'>>;
  partner_id: Id<'partner'>;
  code: string;
  operator_code: string;
  owner_code: string;
  name: string;
  region_code: string;
  address: string;
  longitude: number;
  latitude: number;
  kind: string;
  place: string;
  state: string;
  service_phone: string;
  site_phone: string | null;
  told: Json;
  missing_at: Instant | null;
  added_at: Instant;
  changed_at: Instant;
  seen_at: Instant;
}

export interface PulledStationsTable {
  id: GeneratedAlways<Id<'pulled_station'>>;
  site_id: Id<'pulled_site'>;
  partner_id: Id<'partner'>;
  code: string;
  name: string | null;
  manufacturer: string | null;
  manufacturer_code: string | null;
  model: string | null;
  produced_on: string | null;
  power_w: Watts;
  added_at: Instant;
}

export interface QualityChangesTable {
  id: GeneratedAlways<Id<'quality_change'>>;
  day: string;
  site_id: Id<'site'> | null;
  agent_id: Id<'agent'> | null;
  equipment_type: string | null;
  measure: 'answer' | 'bill' | 'disconnection' | 'attended' | 'repair' | 'complaint';
  bucket: number;
  events: number;
}

export interface QualitySumsTable {
  grain: 'day' | 'month';
  from_on: string;
  site_id: Id<'site'> | null;
  agent_id: Id<'agent'> | null;
  equipment_type: string | null;
  measure: string;
  bucket: number;
  events: number;
}

export interface ReadingsTable {
  order_id: Id<'order'>;
  at: Instant;
  connector_id: Id<'connector'>;
  energy_wh: WattHours | null;
  power_w: Watts | null;
  current_ma: Milliamperes | null;
  voltage_mv: Millivolts | null;
  soc_percent: number | null;
  vehicle_temperature_c: number | null;
  signed_data: string | null;
  received_at: Instant;
  cable_temperature_c: number | null;
  ambient_temperature_c: number | null;
  doubt: string | null;
}

export interface RechargeRefundsTable {
  id: GeneratedAlways<Id<'recharge_refund'>>;
  number: string;
  recharge_id: Id<'recharge'>;
  amount_fen: Fen;
  gift_fen: Fen;
  state: 'processing' | 'done' | 'failed';
  channel_refund_id: Id<'channel_refund'> | null;
  failure: string | null;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
  ended_at: Instant | null;
}

export interface RechargesTable {
  id: GeneratedAlways<Id<'recharge'>>;
  number: string;
  card_id: Id<'card'> | null;
  customer_id: Id<'customer'> | null;
  amount_fen: Fen;
  balance_before_fen: Fen;
  balance_after_fen: Fen;
  remark: Generated<string>;
  user_id: Id<'user'> | null;
  created_at: Instant;
  repaid_fen: Generated<Fen>;
  owed_after_fen: Generated<Fen>;
  agent_id: Id<'agent'> | null;
  prepaid_after_fen: Fen | null;
  reversed_at: Instant | null;
  reversed_by: Id<'user'> | null;
  reversal_reason: string | null;
  channel: Generated<'front-desk' | 'back-office' | 'bank' | 'wechat' | 'alipay' | 'embedded'>;
  gift_fen: Generated<Fen>;
  promotion_id: Id<'promotion'> | null;
  promotion_gift_fen: Generated<Fen>;
  refunded_fen: Generated<Fen>;
  refunded_gift_fen: Generated<Fen>;
  owner_agent_id: number | null;
  group_id: Id<'group'> | null;
  partner_id: Id<'partner'> | null;
}

export interface ReconciliationDaysTable {
  id: GeneratedAlways<Id<'reconciliation_day'>>;
  day: string;
  created_at: Instant;
  sealed_at: Instant | null;
  sealed_by: Id<'user'> | null;
  sealed_text: string | null;
  sealed_hash: string | null;
  seal_number: number | null;
  missing_bill_reason: string | null;
}

export interface ReconciliationDifferencesTable {
  id: GeneratedAlways<Id<'reconciliation_difference'>>;
  day: string;
  counterpart: string;
  key: string;
  kind: 'ours_only' | 'theirs_only' | 'amount_differs' | 'doubled' | 'late';
  subject: 'payment' | 'refund' | 'payout' | 'other' | 'order' | 'readings';
  payment_id: Id<'channel_payment'> | null;
  refund_id: Id<'channel_refund'> | null;
  payout_id: Id<'channel_payout'> | null;
  order_id: Id<'order'> | null;
  bill_line_id: number | null;
  number: string | null;
  third_party_number: string | null;
  our_fen: Fen | null;
  their_fen: Fen | null;
  our_wh: WattHours | null;
  their_wh: WattHours | null;
  our_at: Instant | null;
  their_at: Instant | null;
  other_day: string | null;
  repair: string;
  state: 'open' | 'taken' | 'done' | 'settled';
  found_at: Instant;
  taken_by: Id<'user'> | null;
  taken_at: Instant | null;
  ended_by: Id<'user'> | null;
  ended_at: Instant | null;
  outcome: 'repaired' | 'explained' | 'written_off' | null;
  reason: string | null;
}

export interface ReconciliationsTable {
  day: string;
  counterpart: 'wechat' | 'alipay' | 'embedded' | 'meters' | 'ledger';
  state: 'waiting' | 'agrees' | 'differs';
  ran_at: Instant;
  our_count: Generated<number>;
  our_fen: Generated<Fen>;
  our_wh: Generated<WattHours>;
  their_count: Generated<number>;
  their_fen: Generated<Fen>;
  their_wh: Generated<WattHours>;
  fee_fen: Generated<Fen>;
  matched_count: Generated<number>;
}

export interface RehearsalFiguresTable {
  id: GeneratedAlways<Id<'rehearsal_figure'>>;
  task_id: Id<'task'>;
  by: 'agent' | 'site';
  site_id: Id<'site'> | null;
  agent_id: Id<'agent'> | null;
  charges: number;
  energy_wh: WattHours;
  before_fen: Fen;
  after_fen: Fen;
  difference_fen: GeneratedAlways<Fen>;
}

export interface ReportMailsTable {
  id: GeneratedAlways<Id<'report_mail'>>;
  run_id: Id<'report_run'>;
  email: string;
  state: Generated<'waiting' | 'sent' | 'failed'>;
  tries: Generated<number>;
  next_at: Instant | null;
  problem: string | null;
  error_code: string | null;
}

export interface ReportRunsTable {
  id: GeneratedAlways<Id<'report_run'>>;
  report_id: Id<'report'>;
  due_at: Instant;
  is_asked: boolean;
  is_trial: Generated<boolean>;
  from_on: string;
  to_on: string;
  state: Generated<'waiting' | 'writing' | 'mailing' | 'done' | 'failed'>;
  task_id: Id<'task'> | null;
  error_code: string | null;
  tries: Generated<number>;
  next_at: Instant | null;
}

export interface ReportsTable {
  id: GeneratedAlways<Id<'report'>>;
  user_id: Id<'user'>;
  name: string;
  filter_set_id: Id<'filter_set'> | null;
  every: 'day' | 'week' | 'month';
  weekday: number | null;
  month_day: number | null;
  hour: number;
  format: string;
  language: string;
  emails: string;
  enabled: boolean;
  next_at: Instant | null;
}

export interface RoamingChargesTable {
  id: GeneratedAlways<Id<'roaming_charge'>>;
  sequence: string;
  partner_id: Id<'partner'>;
  customer_id: Id<'customer'>;
  state: 'starting' | 'charging' | 'settling' | 'disputed' | 'completed' | 'cancelled';
  pulled_port_id: Id<'pulled_port'> | null;
  site_code: string;
  site_name: string;
  station_code: string;
  port_code: string;
  power_w: Generated<Watts>;
  prices: Json;
  held_fen: Generated<Fen>;
  held_gift_fen: Generated<Fen>;
  holds: Generated<number>;
  refusal: string | null;
  placed_at: Instant;
  started_at: Instant | null;
  ended_at: Instant | null;
  settled_at: Instant | null;
  heard_at: Instant | null;
  poll_due_at: Instant | null;
  polls: Generated<number>;
  stop_asked_at: Instant | null;
  energy_wh: Generated<WattHours>;
  heard_wh: Generated<WattHours>;
  electricity_fee_fen: Generated<Fen>;
  service_fee_fen: Generated<Fen>;
  amount_fen: Generated<Fen>;
  soc_begin_percent: number | null;
  soc_end_percent: number | null;
  bill: ColumnType<unknown, string | null | undefined, string | null>;
  second_bill: ColumnType<unknown, string | null | undefined, string | null>;
  doubts: Generated<string[]>;
  confirm_result: number | null;
  billed_at: Instant | null;
  stop_reason: string | null;
  vin: string | null;
  plate: string | null;
  paid_fen: Generated<Fen>;
  gift_paid_fen: Generated<Fen>;
  owed_fen: Generated<Fen>;
  repayments: Generated<number>;
  user_id: Id<'user'> | null;
  reason: string | null;
  checked_at: Instant | null;
  dispute: string | null;
  refunded_fen: Generated<Fen>;
  refunded_gift_fen: Generated<Fen>;
  forgiven_fen: Generated<Fen>;
  written_off_fen: Generated<Fen>;
}

export interface RoamingCorrectionsTable {
  id: GeneratedAlways<Id<'roaming_correction'>>;
  charge_id: Id<'roaming_charge'>;
  kind: 'refund' | 'write_off' | 'upheld';
  amount_fen: Fen;
  forgiven_fen: Generated<Fen>;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
}

export interface SaleAgentHoursTable {
  hour_at: Instant;
  agent_id: Id<'agent'> | null;
  equipment_type: string;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
}

export interface SaleChangesTable {
  id: GeneratedAlways<Id<'sale_change'>>;
  order_id: Id<'order'>;
  hour_at: Instant;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  station_id: Id<'station'>;
  connector_id: Id<'connector'>;
  start_mode: string;
  payment_type: string;
  party: string | null;
  party_id: number | null;
  share_fen: Generated<Fen>;
  orders: Generated<number>;
  energy_wh: Generated<WattHours>;
  busy_s: Generated<number>;
  electricity_fen: Generated<Fen>;
  service_fen: Generated<Fen>;
  amount_fen: Generated<Fen>;
  discount_fen: Generated<Fen>;
  gift_fen: Generated<Fen>;
  paid_fen: Generated<Fen>;
  refunded_fen: Generated<Fen>;
  forgiven_fen: Generated<Fen>;
  written_off_fen: Generated<Fen>;
  first_orders: Generated<number>;
  band_0: Generated<number>;
  band_1: Generated<number>;
  band_2: Generated<number>;
  band_3: Generated<number>;
  band_4: Generated<number>;
  band_5: Generated<number>;
  sharp_wh: Generated<WattHours>;
  sharp_electricity_fen: Generated<Fen>;
  sharp_service_fen: Generated<Fen>;
  peak_wh: Generated<WattHours>;
  peak_electricity_fen: Generated<Fen>;
  peak_service_fen: Generated<Fen>;
  flat_wh: Generated<WattHours>;
  flat_electricity_fen: Generated<Fen>;
  flat_service_fen: Generated<Fen>;
  valley_wh: Generated<WattHours>;
  valley_electricity_fen: Generated<Fen>;
  valley_service_fen: Generated<Fen>;
  agents_fen: Generated<Fen>;
  dividers_fen: Generated<Fen>;
  platform_fen: Generated<Fen>;
  channel_fee_fen: Generated<Fen>;
  commission_fen: Generated<Fen>;
}

export interface SalePortDaysTable {
  day: string;
  connector_id: Id<'connector'>;
  station_id: Id<'station'>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  gift_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  agents_fen: Fen;
  dividers_fen: Fen;
  platform_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
}

export interface SalePortHoursTable {
  hour_at: Instant;
  connector_id: Id<'connector'>;
  station_id: Id<'station'>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
}

export interface SalePortMonthsTable {
  day: string;
  connector_id: Id<'connector'>;
  station_id: Id<'station'>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  gift_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  agents_fen: Fen;
  dividers_fen: Fen;
  platform_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
}

export interface SaleProgressTable {
  only_row: Generated<boolean>;
  kept_at: Instant | null;
}

export interface SaleRebuildsTable {
  id: GeneratedAlways<Id<'sale_rebuild'>>;
  from_on: string;
  to_on: string;
  next_on: string;
  because: 'first' | 'asked' | 'station_changed' | 'nightly';
  days: Generated<number>;
  differing: Generated<number>;
  user_id: Id<'user'> | null;
  asked_at: Instant;
  done_at: Instant | null;
  failed: Generated<number>;
}

export interface SaleShareDaysTable {
  day: string;
  station_id: Id<'station'>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  party: string;
  party_id: number;
  share_fen: Fen;
}

export interface SaleShareMonthsTable {
  day: string;
  station_id: Id<'station'>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  party: string;
  party_id: number;
  share_fen: Fen;
}

export interface SaleSiteDaysTable {
  day: string;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  equipment_type: string;
  station_type: string;
  start_mode: string;
  payment_type: string;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  gift_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  first_orders: number;
  band_0: number;
  band_1: number;
  band_2: number;
  band_3: number;
  band_4: number;
  band_5: number;
  sharp_wh: WattHours;
  sharp_electricity_fen: Fen;
  sharp_service_fen: Fen;
  peak_wh: WattHours;
  peak_electricity_fen: Fen;
  peak_service_fen: Fen;
  flat_wh: WattHours;
  flat_electricity_fen: Fen;
  flat_service_fen: Fen;
  valley_wh: WattHours;
  valley_electricity_fen: Fen;
  valley_service_fen: Fen;
  agents_fen: Fen;
  dividers_fen: Fen;
  platform_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
}

export interface SaleSiteHoursTable {
  hour_at: Instant;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  equipment_type: string;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
}

export interface SaleSiteMonthsTable {
  day: string;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  equipment_type: string;
  station_type: string;
  start_mode: string;
  payment_type: string;
  orders: number;
  energy_wh: WattHours;
  busy_s: number;
  electricity_fen: Fen;
  service_fen: Fen;
  amount_fen: Fen;
  discount_fen: Fen;
  gift_fen: Fen;
  paid_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  first_orders: number;
  band_0: number;
  band_1: number;
  band_2: number;
  band_3: number;
  band_4: number;
  band_5: number;
  sharp_wh: WattHours;
  sharp_electricity_fen: Fen;
  sharp_service_fen: Fen;
  peak_wh: WattHours;
  peak_electricity_fen: Fen;
  peak_service_fen: Fen;
  flat_wh: WattHours;
  flat_electricity_fen: Fen;
  flat_service_fen: Fen;
  valley_wh: WattHours;
  valley_electricity_fen: Fen;
  valley_service_fen: Fen;
  agents_fen: Fen;
  dividers_fen: Fen;
  platform_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
}

export interface SessionsTable {
  token_hash: Buffer;
  user_id: Id<'user'>;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  ended_because: 'logout' | 'password_changed' | 'ended_by_admin' | 'disabled' | null;
  remote_address: string;
  user_agent: Generated<string>;
  id: GeneratedAlways<Id<'session'>>;
}

export interface SettlementFailuresTable {
  period_id: Id<'settlement_period'>;
  failure: string;
  attempts: number;
  failed_at: Instant;
}

export interface SettlementPeriodsTable {
  id: GeneratedAlways<Id<'settlement_period'>>;
  party: 'agent' | 'divider';
  agent_id: Id<'agent'> | null;
  divider_id: Id<'divider'> | null;
  from_on: string;
  to_on: string;
  state: Generated<'open' | 'closed' | 'paid_out'>;
  created_at: Instant;
  shares_fen: Fen | null;
  orders: number | null;
  carried_in_fen: Fen | null;
  net_fen: GeneratedAlways<Fen | null>;
  closed_at: Instant | null;
  closed_by: Id<'user'> | null;
  paid_out_at: Instant | null;
  paid_out_by: Id<'user'> | null;
  of_agent_id: Id<'agent'> | null;
  paid_out_fen: Fen | null;
  rest_period_id: Id<'settlement_period'> | null;
  cycle: 't1' | 't7' | 'm1';
}

export interface SettlementProgressTable {
  only_row: Generated<boolean>;
  kept_to: Generated<number>;
  next_to: Generated<number>;
  next_after_transaction: Generated<number>;
}

export interface SettlementSumsTable {
  period_id: number;
  orders: number;
  shares_fen: Fen;
}

export interface ShareTermsTable {
  id: GeneratedAlways<Id<'share_term'>>;
  site_id: Id<'site'> | null;
  channel_fee_e4: Generated<number>;
  electricity_e4: Generated<number>;
  service_e4: Generated<number>;
  occupancy_e4: Generated<number>;
  user_id: Id<'user'> | null;
  changed_at: Instant;
}

export interface SignInsTable {
  id: GeneratedAlways<Id<'sign_in'>>;
  at: Instant;
  user_id: Id<'user'> | null;
  name: string;
  result: 'signed_in' | 'wrong_password' | 'unknown_name' | 'locked' | 'disabled' | 'wrong_captcha';
  remote_address: string;
  user_agent: Generated<string>;
  session_id: Id<'session'> | null;
}

export interface SiteHoldersTable {
  id: GeneratedAlways<Id<'site_holder'>>;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  from_at: Instant;
  to_at: Instant | null;
}

export interface SitePicturesTable {
  site_id: Id<'site'>;
  place: number;
  file_id: Id<'file'>;
  slot: 'entrance' | 'sign' | 'panorama' | 'charger' | 'other';
}

export interface SitesTable {
  id: GeneratedAlways<Id<'site'>>;
  name: string;
  region_code: string;
  address: string;
  longitude: number;
  latitude: number;
  parking_fee: Generated<'free' | 'charged' | 'reduced' | 'limited' | 'other'>;
  parking_info: Generated<string>;
  invoice_available: Generated<boolean>;
  facilities: Generated<string[]>;
  opening_hours: Generated<string>;
  service_phone: Generated<string>;
  agent_id: Id<'agent'> | null;
  created_at: Generated<Instant>;
  version: Generated<number>;
  state: Generated<'normal' | 'building' | 'maintenance' | 'closed_offline' | 'closed_for_business' | 'unknown'>;
  open_all_day: Generated<boolean>;
  site_phone: Generated<string>;
  bay_count: Generated<number>;
  reservable: Generated<boolean>;
  vehicles: Generated<string>;
  directions: Generated<string>;
  payment_info: Generated<string>;
  remark: Generated<string>;
  kind: 'public' | 'private' | 'bus' | 'sanitation' | 'logistics' | 'taxi' | 'other' | null;
  place: 'residential' | 'public_body' | 'enterprise' | 'office' | 'industrial_park' | 'transport_hub' | 'venue' | 'green_space' | 'car_park' | 'roadside' | 'motorway' | 'other' | null;
  level: 'above_ground' | 'underground' | null;
  capacity_kva: number | null;
  power_capacity_kw: number | null;
  staffed: Generated<boolean>;
  own_grid: Generated<boolean>;
  grid_account: Generated<string>;
  public_car_park: Generated<boolean>;
  car_park_number: Generated<string>;
  opened_at: Instant | null;
  created_by: Id<'user'> | null;
  changed_by: Id<'user'> | null;
  changed_at: Generated<Instant>;
  told_changed_at: Generated<Instant>;
}

export interface SmsCodesTable {
  id: GeneratedAlways<Id<'sms_code'>>;
  phone: string;
  purpose: 'register' | 'sign_in';
  code_hash: Buffer;
  remote_address: string;
  sent_at: Instant;
  expires_at: Instant;
  attempts: Generated<number>;
  used_at: Instant | null;
  attempts_elsewhere: Generated<number>;
}

export interface StartAttemptReversalsTable {
  id: GeneratedAlways<Id<'start_attempt_reversal'>>;
  attempt: Json;
}

export interface StartAttemptTailTable {
  attempt_id: number;
}

export interface StartAttemptsTable {
  id: Generated<Id<'start_attempt'>>;
  at: Instant;
  times: Generated<number>;
  visit_id: number;
  person: string | null;
  customer_id: Id<'customer'> | null;
  card_id: Id<'card'> | null;
  card_number: string | null;
  plate: string | null;
  vin: string | null;
  site_id: Id<'site'>;
  station_id: Id<'station'>;
  connector_id: Id<'connector'> | null;
  connector_number: number | null;
  agent_id: Id<'agent'> | null;
  equipment_type: 'two-wheel' | 'four-wheel';
  start_mode: 'card' | 'remote' | 'scan' | 'vin' | 'partner';
  make: string;
  model: string;
  firmware: string;
  order_id: Id<'order'> | null;
  step: 'asked' | 'paid_for' | 'commanded' | 'accepted' | 'energised' | 'ended_clean';
  drop_out: 'card_unknown' | 'vehicle_unknown' | 'card_blocked' | 'card_expired' | 'payer_busy' | 'too_little_money' | 'station_closed' | 'port_busy' | 'port_fault' | 'price_missing' | 'not_supported' | 'refused_otherwise' | 'station_offline' | 'station_busy' | 'station_refused' | 'no_answer' | 'not_begun' | 'start_failed' | 'cancelled' | 'card_withdrawn' | 'no_energy' | 'emergency_stop' | 'power_loss' | 'station_restarted' | 'station_fault' | 'vehicle_fault' | 'no_stop' | 'awaits_person' | null;
  succeeded: Generated<boolean>;
  answered_ms: number | null;
  energised_at: Instant | null;
  billed_ms: number | null;
  energy_wh: Generated<WattHours>;
  occupied_ms: Generated<number>;
}

export interface StartSumsTable {
  grain: 'day' | 'month';
  from_on: string;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  equipment_type: string;
  start_mode: string;
  make: string;
  model: string;
  firmware: string;
  step: string;
  drop_out: string | null;
  attempts: number;
  visits: number;
  first_times: number;
  charges: number;
  energy_wh: WattHours;
  occupied_ms: number;
}

export interface StatementDaysTable {
  day: string;
  site_id: Id<'site'> | null;
  agent_id: Id<'agent'> | null;
  orders: number;
  energy_wh: WattHours;
  electricity_fen: Fen;
  service_fen: Fen;
  coupon_fen: Fen;
  coupon_back_fen: Fen;
  received_fen: Fen;
  refunded_fen: Fen;
  forgiven_fen: Fen;
  written_off_fen: Fen;
  channel_fee_fen: Fen;
  commission_fen: Fen;
}

export interface StatementSharesTable {
  day: string;
  site_id: Id<'site'> | null;
  agent_id: Id<'agent'> | null;
  party: 'agent' | 'divider';
  party_id: number;
  shared_fen: Fen;
  paid_out_fen: Fen;
}

export interface StationCardsTable {
  station_id: Id<'station'>;
  physical_number: string;
  given_at: Instant;
}

export interface StationFreeTimesTable {
  station_id: Id<'station'>;
  from_at: Instant;
  to_at: Instant | null;
}

export interface StationIdentitiesTable {
  id: GeneratedAlways<Id<'station_identity'>>;
  number: string;
  protocol: 'ocpp1.6' | 'ykc';
  type: 'fast' | 'slow';
  equipment_type: 'two-wheel' | 'four-wheel';
  connector_count: number;
  max_power_w: Watts;
  password_hash: string | null;
  batch: string;
  agent_id: Id<'agent'> | null;
  station_id: Id<'station'> | null;
  created_at: Instant;
  manufacturer: string | null;
  equipment_model: string | null;
}

export interface StationImportRowsTable {
  import_id: Id<'station_import'>;
  line: number;
  cells: Json;
  faults: ColumnType<unknown, string | null | undefined, string | null>;
  sealed_password: Buffer | null;
  station_id: Id<'station'> | null;
}

export interface StationImportsTable {
  id: GeneratedAlways<Id<'station_import'>>;
  user_id: Id<'user'>;
  file_name: string;
  ignored_columns: Generated<string[]>;
  total_count: number;
  good_count: number;
  task_id: Id<'task'> | null;
  started_at: Instant | null;
  created_at: Instant;
}

export interface StationPlacesTable {
  station_id: Id<'station'>;
  from_at: Instant;
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
}

export interface StationTariffsTable {
  station_id: Id<'station'>;
  kind: 'card' | 'wechat' | 'running';
  from_at: Instant;
  tariff_id: Id<'tariff'> | null;
  id: GeneratedAlways<Id<'station_tariff'>>;
}

export interface StationsTable {
  id: GeneratedAlways<Id<'station'>>;
  number: string;
  name: string;
  type: 'fast' | 'slow';
  equipment_type: 'two-wheel' | 'four-wheel';
  protocol: 'ocpp1.6' | 'ykc';
  site_id: Id<'site'>;
  agent_id: Id<'agent'> | null;
  enabled: Generated<boolean>;
  password_hash: string | null;
  max_power_w: Watts;
  voltage_v: number | null;
  current_a: number | null;
  card_tariff_id: Id<'tariff'> | null;
  wechat_tariff_id: Id<'tariff'> | null;
  expires_on: string | null;
  vendor: string | null;
  model: string | null;
  serial_number: string | null;
  firmware_version: string | null;
  iccid: string | null;
  imsi: string | null;
  booted_at: Instant | null;
  online: Generated<boolean>;
  online_at: Instant | null;
  offline_at: Instant | null;
  last_seen_at: Instant | null;
  remote_address: string | null;
  refused_at: Instant | null;
  refused_because: string | null;
  refused_address: string | null;
  total_energy_wh: Generated<WattHours>;
  created_at: Generated<Instant>;
  protocol_version: string | null;
  reported_connectors: number | null;
  running_tariff_id: Id<'tariff'> | null;
  running_tariff_version: string | null;
  running_tariff_at: Instant | null;
  tariff_asked_at: Instant | null;
  tariff_outcome: string | null;
  holder: string | null;
  holder_number: Generated<number>;
  sign_in: Generated<'password' | 'certificate' | 'open'>;
  sign_in_networks: Generated<string[]>;
  next_password_hash: string | null;
  password_changed_at: Instant | null;
  free: Generated<boolean>;
  custom_site: Generated<string>;
  imei: string | null;
  sim_expires_on: string | null;
  manufacturer: string | null;
  manufacturer_code: string | null;
  equipment_model: string | null;
  produced_on: string | null;
  activated_at: Instant | null;
  tariff_answer: string | null;
}

export interface TariffDefaultsTable {
  agent_id: Id<'agent'> | null;
  equipment_type: 'two-wheel' | 'four-wheel';
  rule_id: Id<'tariff'>;
}

export interface TariffsTable {
  id: GeneratedAlways<Id<'tariff'>>;
  name: string;
  kind: 'energy' | 'hour';
  detail: Json;
  agent_id: Id<'agent'> | null;
  created_at: Generated<Instant>;
  rule_id: Generated<Id<'tariff'>>;
  version: Generated<number>;
  state: Generated<'waiting' | 'in_force' | 'past' | 'cancelled'>;
  effective_at: Generated<Instant>;
  note: Generated<string>;
  created_by: Id<'user'> | null;
  archived_at: Instant | null;
}

export interface TaskRowsTable {
  id: GeneratedAlways<Id<'task_row'>>;
  task_id: Id<'task'>;
  line: number;
  label: string;
  record_id: number | null;
  state: Generated<'waiting' | 'sent' | 'done' | 'refused' | 'offline' | 'timed-out' | 'unknown' | 'skipped'>;
  detail: ColumnType<unknown, string | null | undefined, string | null>;
  at: Instant | null;
}

export interface TasksTable {
  id: GeneratedAlways<Id<'task'>>;
  kind: 'export' | 'station-import' | 'station-commands' | 'rehearsal' | 'station-acts' | 'station-identities' | 'label-sheet';
  detail: Json;
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>;
  done_count: Generated<number>;
  total_count: number | null;
  error_code: string | null;
  file_id: Id<'file'> | null;
  language: string;
  user_id: Id<'user'>;
  created_at: Instant;
  started_at: Instant | null;
  ended_at: Instant | null;
  attempts: Generated<number>;
  subject: Generated<string>;
  result: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface TestRunsTable {
  order_id: Id<'order'>;
  connector_id: Id<'connector'>;
  minutes: number;
  user_name: string;
  answer: ColumnType<unknown, string | null | undefined, string | null>;
  answered_at: Instant | null;
  stop_because: 'time_limit' | 'remote' | 'card_deauthorized' | null;
  stop_asked_at: Instant | null;
  stop_answer: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface TotalProofsTable {
  id: GeneratedAlways<Id<'total_proof'>>;
  proven_at: Instant;
  took_ms: number;
  user_id: Id<'user'> | null;
  rows: Json;
  differing: number;
  across_days: ColumnType<unknown, string | null | undefined, string | null>;
  failed_total: string | null;
  failure: 'out_of_time' | 'sums_behind' | 'other' | null;
}

export interface UnapprovedActsTable {
  id: GeneratedAlways<Id<'unapproved_act'>>;
  user_id: Id<'user'>;
  kind: string;
  subject_kind: string;
  subject_id: number;
  amount: number;
  at: Instant;
}

export interface UnknownStationsTable {
  id: GeneratedAlways<Id<'unknown_station'>>;
  number: string;
  protocol: string;
  remote_address: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  attempts: Generated<number>;
  network: Generated<string>;
}

export interface UsersTable {
  id: GeneratedAlways<Id<'user'>>;
  user_name: string;
  phone: string | null;
  real_name: string;
  password_hash: string;
  admin: Generated<boolean>;
  agent_id: Id<'agent'> | null;
  position_id: Id<'position'> | null;
  enabled: Generated<boolean>;
  last_login_at: Instant | null;
  created_at: Generated<Instant>;
  kind: Generated<'added' | 'registered' | 'divider'>;
  customer_id: Id<'customer'> | null;
  password_is_initial: Generated<boolean>;
  password_changed_at: Instant | null;
  avatar_file_id: Id<'file'> | null;
  real_name_key: string | null;
  first_steps_hidden: Generated<boolean>;
  divider_id: Id<'divider'> | null;
}

export interface VehiclesTable {
  id: GeneratedAlways<Id<'vehicle'>>;
  vin: string;
  card_id: Id<'card'>;
  plate: string | null;
  created_at: Generated<Instant>;
  usage: Generated<'private' | 'taxi' | 'bus' | 'logistics' | 'sanitation' | 'official' | 'other'>;
  owner_id: Id<'customer'> | null;
}

export interface WalletGiftsTable {
  id: GeneratedAlways<Id<'wallet_gift'>>;
  number: string;
  kind: 'given' | 'deducted';
  card_id: Id<'card'> | null;
  customer_id: Id<'customer'> | null;
  agent_id: Id<'agent'> | null;
  amount_fen: Fen;
  repaid_fen: Generated<Fen>;
  reason: string;
  user_id: Id<'user'> | null;
  created_at: Instant;
  reversed_at: Instant | null;
  reversed_by: Id<'user'> | null;
  reversal_reason: string | null;
}

export interface WalletTransfersTable {
  id: GeneratedAlways<Id<'wallet_transfer'>>;
  number: string;
  kind: 'between' | 'card_replaced' | 'merged';
  from_card_id: Id<'card'> | null;
  from_customer_id: Id<'customer'> | null;
  from_agent_id: Id<'agent'> | null;
  to_card_id: Id<'card'> | null;
  to_customer_id: Id<'customer'> | null;
  to_agent_id: Id<'agent'> | null;
  paid_fen: Fen;
  gift_fen: Generated<Fen>;
  repaid_fen: Generated<Fen>;
  reason: Generated<string>;
  user_id: Id<'user'> | null;
  created_at: Instant;
  reversed_at: Instant | null;
  reversed_by: Id<'user'> | null;
  reversal_reason: string | null;
  play_fen: Generated<Fen>;
}

export interface WithdrawalsTable {
  id: GeneratedAlways<Id<'withdrawal'>>;
  number: string;
  customer_id: Id<'customer'>;
  way: 'wechat' | 'alipay' | 'embedded' | 'bank' | 'desk';
  payee_account: string | null;
  payee_name: string | null;
  amount_fen: Fen;
  gift_fen: Fen;
  fee_fen: Fen;
  state: Generated<'waiting' | 'in_review' | 'withdrawn' | 'failed' | 'processed'>;
  frozen: Generated<boolean>;
  payout_id: Id<'channel_payout'> | null;
  remark: Generated<string>;
  failure: string | null;
  receipt: string | null;
  applied_by: Id<'user'> | null;
  applied_at: Instant;
  reviewed_by: Id<'user'> | null;
  reviewed_at: Instant | null;
  processed_at: Instant | null;
  attention: 'paid_twice' | 'sent_back' | 'amount_differs' | null;
  times_returned: Generated<number>;
  receipt_key: string | null;
}

export interface Tables {
  access_givers: AccessGiversTable;
  adverts: AdvertsTable;
  agent_recharges: AgentRechargesTable;
  agent_uses: AgentUsesTable;
  agent_withdrawals: AgentWithdrawalsTable;
  agents: AgentsTable;
  approvals: ApprovalsTable;
  articles: ArticlesTable;
  audit_entries: AuditEntriesTable;
  captchas: CaptchasTable;
  card_cancellations: CardCancellationsTable;
  card_import_rows: CardImportRowsTable;
  card_imports: CardImportsTable;
  cards: CardsTable;
  channel_bill_lines: ChannelBillLinesTable;
  channel_bills: ChannelBillsTable;
  channel_calls: ChannelCallsTable;
  channel_notifications: ChannelNotificationsTable;
  channel_payments: ChannelPaymentsTable;
  channel_payouts: ChannelPayoutsTable;
  channel_refunds: ChannelRefundsTable;
  charge_notes: ChargeNotesTable;
  configs: ConfigsTable;
  connectors: ConnectorsTable;
  coupons: CouponsTable;
  credit_movements: CreditMovementsTable;
  credits: CreditsTable;
  customer_coupons: CustomerCouponsTable;
  customer_sessions: CustomerSessionsTable;
  customers: CustomersTable;
  debt_repayments: DebtRepaymentsTable;
  debt_write_offs: DebtWriteOffsTable;
  divider_terms: DividerTermsTable;
  dividers: DividersTable;
  embedded_invoices: EmbeddedInvoicesTable;
  embedded_notifications: EmbeddedNotificationsTable;
  embedded_payments: EmbeddedPaymentsTable;
  embedded_returns: EmbeddedReturnsTable;
  feedbacks: FeedbacksTable;
  files: FilesTable;
  filter_sets: FilterSetsTable;
  finance_progress: FinanceProgressTable;
  first_charges: FirstChargesTable;
  grid_bill_import_rows: GridBillImportRowsTable;
  grid_bill_imports: GridBillImportsTable;
  grid_bills: GridBillsTable;
  group_allocations: GroupAllocationsTable;
  group_member_import_rows: GroupMemberImportRowsTable;
  group_member_imports: GroupMemberImportsTable;
  group_members: GroupMembersTable;
  group_sites: GroupSitesTable;
  groups: GroupsTable;
  idempotency_keys: IdempotencyKeysTable;
  interaction_logs: InteractionLogsTable;
  invoice_calls: InvoiceCallsTable;
  invoice_events: InvoiceEventsTable;
  invoice_orders: InvoiceOrdersTable;
  invoice_sellers: InvoiceSellersTable;
  invoice_titles: InvoiceTitlesTable;
  invoices: InvoicesTable;
  kept_sum_proofs: KeptSumProofsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_days: LedgerDaysTable;
  ledger_differences: LedgerDifferencesTable;
  ledger_postings: LedgerPostingsTable;
  ledger_proof: LedgerProofTable;
  ledger_proof_runs: LedgerProofRunsTable;
  ledger_proven_sums: LedgerProvenSumsTable;
  ledger_transfers: LedgerTransfersTable;
  list_columns: ListColumnsTable;
  login_failures: LoginFailuresTable;
  menus: MenusTable;
  migrations: MigrationsTable;
  movements: MovementsTable;
  order_curves: OrderCurvesTable;
  order_flags: OrderFlagsTable;
  order_lines: OrderLinesTable;
  order_refunds: OrderRefundsTable;
  order_shares: OrderSharesTable;
  orders: OrdersTable;
  partner_charges: PartnerChargesTable;
  partner_deliveries: PartnerDeliveriesTable;
  partner_envelopes: PartnerEnvelopesTable;
  partner_exchanges: PartnerExchangesTable;
  partner_keys: PartnerKeysTable;
  partner_logins: PartnerLoginsTable;
  partner_payments: PartnerPaymentsTable;
  partner_pull_changes: PartnerPullChangesTable;
  partner_pulls: PartnerPullsTable;
  partner_sites: PartnerSitesTable;
  partner_tokens: PartnerTokensTable;
  partners: PartnersTable;
  payout_account_changes: PayoutAccountChangesTable;
  port_faults: PortFaultsTable;
  positions: PositionsTable;
  power_samples: PowerSamplesTable;
  price_change_stations: PriceChangeStationsTable;
  price_changes: PriceChangesTable;
  promotion_uses: PromotionUsesTable;
  promotions: PromotionsTable;
  pulled_ports: PulledPortsTable;
  pulled_sites: PulledSitesTable;
  pulled_stations: PulledStationsTable;
  quality_changes: QualityChangesTable;
  quality_sums: QualitySumsTable;
  readings: ReadingsTable;
  recharge_refunds: RechargeRefundsTable;
  recharges: RechargesTable;
  reconciliation_days: ReconciliationDaysTable;
  reconciliation_differences: ReconciliationDifferencesTable;
  reconciliations: ReconciliationsTable;
  rehearsal_figures: RehearsalFiguresTable;
  report_mails: ReportMailsTable;
  report_runs: ReportRunsTable;
  reports: ReportsTable;
  roaming_charges: RoamingChargesTable;
  roaming_corrections: RoamingCorrectionsTable;
  sale_agent_hours: SaleAgentHoursTable;
  sale_changes: SaleChangesTable;
  sale_port_days: SalePortDaysTable;
  sale_port_hours: SalePortHoursTable;
  sale_port_months: SalePortMonthsTable;
  sale_progress: SaleProgressTable;
  sale_rebuilds: SaleRebuildsTable;
  sale_share_days: SaleShareDaysTable;
  sale_share_months: SaleShareMonthsTable;
  sale_site_days: SaleSiteDaysTable;
  sale_site_hours: SaleSiteHoursTable;
  sale_site_months: SaleSiteMonthsTable;
  sessions: SessionsTable;
  settlement_failures: SettlementFailuresTable;
  settlement_periods: SettlementPeriodsTable;
  settlement_progress: SettlementProgressTable;
  settlement_sums: SettlementSumsTable;
  share_terms: ShareTermsTable;
  sign_ins: SignInsTable;
  site_holders: SiteHoldersTable;
  site_pictures: SitePicturesTable;
  sites: SitesTable;
  sms_codes: SmsCodesTable;
  start_attempt_reversals: StartAttemptReversalsTable;
  start_attempt_tail: StartAttemptTailTable;
  start_attempts: StartAttemptsTable;
  start_sums: StartSumsTable;
  statement_days: StatementDaysTable;
  statement_shares: StatementSharesTable;
  station_cards: StationCardsTable;
  station_free_times: StationFreeTimesTable;
  station_identities: StationIdentitiesTable;
  station_import_rows: StationImportRowsTable;
  station_imports: StationImportsTable;
  station_places: StationPlacesTable;
  station_tariffs: StationTariffsTable;
  stations: StationsTable;
  tariff_defaults: TariffDefaultsTable;
  tariffs: TariffsTable;
  task_rows: TaskRowsTable;
  tasks: TasksTable;
  test_runs: TestRunsTable;
  total_proofs: TotalProofsTable;
  unapproved_acts: UnapprovedActsTable;
  unknown_stations: UnknownStationsTable;
  users: UsersTable;
  vehicles: VehiclesTable;
  wallet_gifts: WalletGiftsTable;
  wallet_transfers: WalletTransfersTable;
  withdrawals: WithdrawalsTable;
}
