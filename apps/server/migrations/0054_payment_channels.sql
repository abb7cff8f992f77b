-- Payment channels: what was asked of WeChat Pay, Alipay and the embedded channel, what they said, and their bills.
create table channel_payments (
  id bigint generated always as identity primary key,
  number text not null constraint channel_payments_number unique,
  channel text not null constraint channel_payments_channel check (channel in ('wechat', 'alipay', 'embedded')),
  purpose text not null constraint channel_payments_purpose check (purpose in ('recharge')),
  card_id bigint references cards (id),
  customer_id bigint references customers (id),
  amount_fen bigint not null constraint channel_payments_amount check (amount_fen > 0),
  title text not null,
  state text not null default 'created'
    constraint channel_payments_state check (state in ('created', 'paying', 'paid', 'closed', 'failed', 'unknown')),
  code_url text,
  page_token_hash bytea not null constraint channel_payments_page_token unique,
  notify_url text not null,
  expires_at timestamptz not null,
  third_party_number text,
  paid_at timestamptz,
  paid_fen bigint constraint channel_payments_paid_amount check (paid_fen > 0),
  payer text,
  -- What the channel said when it refused.
  result_code text,
  result_text text,
  -- Money came in that was not put on a wallet: a person has to decide.
  attention text
    constraint channel_payments_attention check (attention in ('amount_differs', 'paid_after_closing', 'payer_gone')),
  recharge_id bigint constraint channel_payments_recharge unique references recharges (id),
  user_id bigint references users (id),
  asked_by_customer_id bigint references customers (id),
  looks integer not null default 0,
  next_look_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint channel_payments_wallet check ((card_id is null) <> (customer_id is null)),
  constraint channel_payments_asked_by check ((user_id is null) <> (asked_by_customer_id is null)),
  constraint channel_payments_paid check
    ((state = 'paid') = (paid_at is not null and paid_fen is not null and third_party_number is not null)),
  -- Paid money is on a wallet or waits for a person, never neither and never both.
  constraint channel_payments_accounted check
    (case when state = 'paid' then (recharge_id is null) <> (attention is null)
          else recharge_id is null and attention is null end),
  constraint channel_payments_looked_at check
    (next_look_at is null or state in ('created', 'paying', 'unknown'))
);
create unique index channel_payments_third_party on channel_payments (channel, third_party_number)
  where third_party_number is not null;
create index channel_payments_due on channel_payments (next_look_at) where next_look_at is not null;
create index channel_payments_for_a_person on channel_payments (created_at desc, id desc) where attention is not null;
create index channel_payments_channel on channel_payments (channel, id);
create index channel_payments_card on channel_payments (card_id, created_at desc) where card_id is not null;
create index channel_payments_customer on channel_payments (customer_id, created_at desc) where customer_id is not null;

create table channel_refunds (
  id bigint generated always as identity primary key,
  number text not null constraint channel_refunds_number unique,
  payment_id bigint not null references channel_payments (id),
  amount_fen bigint not null constraint channel_refunds_amount check (amount_fen > 0),
  reason text not null,
  state text not null default 'processing'
    constraint channel_refunds_state check (state in ('processing', 'done', 'failed')),
  third_party_number text,
  result_code text,
  result_text text,
  -- Whether the channel was ever asked: only then can it know the number.
  asked_at timestamptz,
  attempts integer not null default 0,
  next_try_at timestamptz,
  user_id bigint references users (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint channel_refunds_ended check ((state = 'processing') = (ended_at is null)),
  constraint channel_refunds_tried check ((state = 'processing') = (next_try_at is not null))
);
create index channel_refunds_payment on channel_refunds (payment_id);
create index channel_refunds_due on channel_refunds (next_try_at) where next_try_at is not null;

create table channel_payouts (
  id bigint generated always as identity primary key,
  number text not null constraint channel_payouts_number unique,
  channel text not null constraint channel_payouts_channel check (channel in ('wechat', 'alipay', 'embedded')),
  payee text not null,
  payee_name text,
  amount_fen bigint not null constraint channel_payouts_amount check (amount_fen > 0),
  remark text not null,
  notify_url text not null,
  state text not null default 'processing'
    constraint channel_payouts_state check (state in ('processing', 'done', 'failed')),
  third_party_number text,
  result_code text,
  result_text text,
  asked_at timestamptz,
  attempts integer not null default 0,
  next_try_at timestamptz,
  user_id bigint references users (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint channel_payouts_ended check ((state = 'processing') = (ended_at is null)),
  constraint channel_payouts_tried check ((state = 'processing') = (next_try_at is not null))
);
create index channel_payouts_due on channel_payouts (next_try_at) where next_try_at is not null;

-- Every call of a channel, with secrets and payers masked.
create table channel_calls (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  channel text not null constraint channel_calls_channel check (channel in ('wechat', 'alipay', 'embedded')),
  kind text not null,
  number text,
  request text not null,
  response text,
  status integer,
  outcome text not null constraint channel_calls_outcome check (outcome in ('answered', 'refused', 'unknown')),
  problem text,
  took_ms integer not null
);
create index channel_calls_at on channel_calls (at);
create index channel_calls_number on channel_calls (number, at) where number is not null;

-- Everything that came in as a channel's notification, believed or not.
create table channel_notifications (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  channel text not null constraint channel_notifications_channel check (channel in ('wechat', 'alipay', 'embedded')),
  remote_address text not null,
  -- Null where it was not believed.
  nonce text,
  kind text,
  number text,
  outcome text not null,
  content text not null
);
create index channel_notifications_at on channel_notifications (at);
create index channel_notifications_number on channel_notifications (number, at) where number is not null;
-- One that was believed and is sent again word for word.
create unique index channel_notifications_nonce on channel_notifications (channel, nonce) where nonce is not null;

create table channel_bills (
  channel text not null constraint channel_bills_channel check (channel in ('wechat', 'alipay', 'embedded')),
  day date not null,
  lines integer not null,
  downloaded_at timestamptz not null,
  primary key (channel, day)
);
create table channel_bill_lines (
  id bigint generated always as identity primary key,
  channel text not null constraint channel_bill_lines_channel check (channel in ('wechat', 'alipay', 'embedded')),
  day date not null,
  line integer not null,
  kind text not null constraint channel_bill_lines_kind check (kind in ('payment', 'refund', 'payout', 'other')),
  number text,
  third_party_number text,
  amount_fen bigint not null,
  fee_fen bigint not null,
  at timestamptz,
  raw jsonb not null,
  constraint channel_bill_lines_bill foreign key (channel, day) references channel_bills (channel, day) on delete cascade,
  constraint channel_bill_lines_line unique (channel, day, line)
);
create index channel_bill_lines_in_order on channel_bill_lines (channel, day, id);
create index channel_bill_lines_day on channel_bill_lines (day, id);
create index channel_bill_lines_kind on channel_bill_lines (kind, id);
create index channel_bill_lines_number on channel_bill_lines (number, id) where number is not null;

-- The other side of the embedded channel: what WeChat Pay or Alipay would keep.
create table embedded_payments (
  number text primary key,
  amount_fen bigint not null,
  title text not null,
  state text not null default 'waiting'
    constraint embedded_payments_state check (state in ('waiting', 'hanging', 'paid', 'closed')),
  third_party_number text not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  created_at timestamptz not null
);
create index embedded_payments_paid on embedded_payments (paid_at) where paid_at is not null;
create table embedded_returns (
  number text primary key,
  kind text not null constraint embedded_returns_kind check (kind in ('refund', 'payout')),
  payment_number text references embedded_payments (number),
  amount_fen bigint not null,
  third_party_number text not null,
  created_at timestamptz not null,
  done_at timestamptz
);
create index embedded_returns_payment on embedded_returns (payment_number) where payment_number is not null;
create index embedded_returns_done on embedded_returns (done_at) where done_at is not null;
create table embedded_notifications (
  id bigint generated always as identity primary key,
  event text not null,
  created_at timestamptz not null,
  delivered_at timestamptz
);
