-- Acts that move much money, or set prices, wait for a second person.
create table approvals (
  id bigint generated always as identity primary key,
  number text not null constraint approvals_number unique,
  kind text not null constraint approvals_kind check (kind in (
    'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
    'tariff_default', 'card_cancellation')),
  state text not null default 'waiting'
    constraint approvals_state check (state in ('waiting', 'approved', 'refused', 'failed', 'withdrawn')),
  -- An act either moves an amount or changes prices, by so much at the most.
  amount_fen bigint,
  price_change_e5 bigint,
  -- Whose records it concerns; null for the platform's.
  agent_id bigint references agents (id),
  -- What it concerns. Not a reference: the record may be of any kind.
  subject_kind text not null,
  subject_id bigint not null,
  subject_text text not null,
  -- What the act was called with, and the rights of who asked.
  detail jsonb not null,
  reason text not null,
  asker_id bigint not null references users (id),
  asked_at timestamptz not null,
  -- Null while it waits, and when it lapsed.
  decider_id bigint references users (id),
  decided_at timestamptz,
  decision_reason text not null default '',
  -- Why the approved act could not be carried out.
  failure jsonb,
  -- The record that the act made or changed.
  result_id bigint,
  constraint approvals_measure check (num_nonnulls(amount_fen, price_change_e5) = 1),
  constraint approvals_ended check ((state = 'waiting') = (decided_at is null)),
  constraint approvals_failure check ((state = 'failed') = (failure is not null))
);
create index approvals_asked on approvals (asked_at desc, id desc);
create index approvals_of_state on approvals (state, asked_at desc, id desc);
create index approvals_of_agent on approvals (agent_id, asked_at desc, id desc);
create index approvals_of_agent_and_state on approvals (agent_id, state, asked_at desc, id desc);
create index approvals_of_kind on approvals (kind, asked_at desc, id desc);
create index approvals_of_asker on approvals (asker_id, asked_at desc, id desc);
create index approvals_of_decider on approvals (decider_id, asked_at desc, id desc) where decider_id is not null;
create index approvals_of_subject on approvals (subject_kind, subject_id, asked_at desc, id desc);
create index approvals_by_amount on approvals (amount_fen desc, id desc) where amount_fen is not null;
create index approvals_by_subject_text on approvals (subject_text, asked_at desc, id desc);

-- What a user did within the limits lately, so that an act in several parts counts as one.
create table unapproved_acts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null,
  subject_kind text not null,
  subject_id bigint not null,
  -- In fen, or in 1e-5 yuan per kWh where the kind is measured by prices.
  amount bigint not null,
  at timestamptz not null
);
create index unapproved_acts_of_user on unapproved_acts (user_id, kind, subject_kind, subject_id, at);
create index unapproved_acts_at on unapproved_acts (at);
