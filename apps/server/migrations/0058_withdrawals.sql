-- What registered users want back: frozen from the application to the known end of its payout.
create table withdrawals (
  id bigint generated always as identity primary key,
  number text not null constraint withdrawals_number unique,
  customer_id bigint not null references customers (id),
  way text not null constraint withdrawals_way check (way in ('wechat', 'alipay', 'embedded', 'bank', 'desk')),
  payee_account text,
  payee_name text,
  amount_fen bigint not null constraint withdrawals_amount check (amount_fen > 0),
  gift_fen bigint not null constraint withdrawals_gift check (gift_fen >= 0),
  fee_fen bigint not null constraint withdrawals_fee check (fee_fen between 0 and amount_fen),
  state text not null default 'waiting'
    constraint withdrawals_state check (state in ('waiting', 'in_review', 'withdrawn', 'failed', 'processed')),
  -- Its money is set aside.
  frozen boolean not null default true,
  -- The channel's payout that is under way, or was the last one.
  payout_id bigint constraint withdrawals_payout unique references channel_payouts (id),
  remark text not null default '',
  failure text,
  receipt text,
  applied_by bigint references users (id),
  applied_at timestamptz not null,
  reviewed_by bigint references users (id),
  reviewed_at timestamptz,
  processed_at timestamptz,
  constraint withdrawals_frozen check (case when state in ('waiting', 'in_review') then frozen
                                            when state in ('withdrawn', 'processed') then not frozen else true end),
  constraint withdrawals_failure check ((state = 'failed') = (failure is not null))
);
create index withdrawals_applied on withdrawals (applied_at desc, id desc);
create index withdrawals_state on withdrawals (state, applied_at desc, id desc);
create index withdrawals_way on withdrawals (way, applied_at desc, id desc);
create index withdrawals_customer on withdrawals (customer_id, applied_at desc, id desc);
