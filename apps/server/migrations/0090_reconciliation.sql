-- Reconciliation of a day: our payments with the bills of payment channels, orders with their meters and with the books
-- (docs/decisions/0025-reconciliation.md).

create table reconciliation_days (
  id bigint generated always as identity primary key,
  day date not null constraint reconciliation_days_day unique,
  created_at timestamptz not null,
  -- What was sealed, word for word, and its hash, which continues the hash of the seal before it.
  sealed_at timestamptz,
  sealed_by bigint references users (id),
  sealed_text text,
  sealed_hash text,
  seal_number integer constraint reconciliation_days_seal_number unique,
  constraint reconciliation_days_sealed check (
    num_nonnulls(sealed_at, sealed_by, sealed_text, sealed_hash, seal_number) in (0, 5))
);

-- One comparison of a day. Both sides' figures are those of the last run.
create table reconciliations (
  day date not null references reconciliation_days (day),
  counterpart text not null constraint reconciliations_counterpart
    check (counterpart in ('wechat', 'alipay', 'embedded', 'meters', 'ledger')),
  state text not null constraint reconciliations_state check (state in ('waiting', 'agrees', 'differs')),
  ran_at timestamptz not null,
  our_count integer not null default 0,
  our_fen bigint not null default 0,
  our_wh bigint not null default 0,
  their_count integer not null default 0,
  their_fen bigint not null default 0,
  their_wh bigint not null default 0,
  -- What the channel kept.
  fee_fen bigint not null default 0,
  matched_count integer not null default 0,
  primary key (day, counterpart)
);

create table reconciliation_differences (
  id bigint generated always as identity primary key,
  day date not null,
  counterpart text not null,
  -- What stays the same when the day is compared again.
  key text not null,
  kind text not null constraint reconciliation_differences_kind
    check (kind in ('ours_only', 'theirs_only', 'amount_differs', 'doubled', 'late')),
  subject text not null constraint reconciliation_differences_subject
    check (subject in ('payment', 'refund', 'payout', 'other', 'order', 'readings')),
  payment_id bigint references channel_payments (id),
  refund_id bigint references channel_refunds (id),
  payout_id bigint references channel_payouts (id),
  order_id bigint references orders (id),
  bill_line_id bigint,
  number text,
  third_party_number text,
  our_fen bigint,
  their_fen bigint,
  our_wh bigint,
  their_wh bigint,
  our_at timestamptz,
  their_at timestamptz,
  -- The other day that it has to do with: of a late line, that of its payment, and the other way round.
  other_day date,
  repair text not null,
  state text not null constraint reconciliation_differences_state check (state in ('open', 'taken', 'done', 'settled')),
  found_at timestamptz not null,
  taken_by bigint references users (id),
  taken_at timestamptz,
  ended_by bigint references users (id),
  ended_at timestamptz,
  outcome text constraint reconciliation_differences_outcome check (outcome in ('repaired', 'explained', 'written_off')),
  reason text,
  constraint reconciliation_differences_of foreign key (day, counterpart) references reconciliations (day, counterpart),
  constraint reconciliation_differences_key unique (day, counterpart, key),
  constraint reconciliation_differences_taken check ((taken_by is null) = (taken_at is null)
    and (state <> 'taken' or taken_by is not null)),
  constraint reconciliation_differences_ended check ((state in ('done', 'settled')) = (ended_at is not null)),
  -- Who dealt with it said how; what settled by itself needed nobody.
  constraint reconciliation_differences_done check (
    num_nonnulls(ended_by, outcome, reason) = case state when 'done' then 3 else 0 end)
);
create index reconciliation_differences_newest on reconciliation_differences (day desc, id desc);
create index reconciliation_differences_counterpart on reconciliation_differences (counterpart, day desc, id desc);
create index reconciliation_differences_kinds on reconciliation_differences (kind, day desc, id desc);
create index reconciliation_differences_open on reconciliation_differences (day desc, id desc)
  where state in ('open', 'taken');
create index reconciliation_differences_number on reconciliation_differences (number) where number is not null;
create index reconciliation_differences_taken_by on reconciliation_differences (taken_by, day desc, id desc)
  where taken_by is not null;

-- Held in common while a record gets its day, and alone while a day is sealed.
create function reconciliation_lock() returns bigint language sql immutable as $$
  select hashtextextended('reconciliation seal', 0)
$$;

create function is_day_sealed(of_day date) returns boolean language sql stable as $$
  select exists (select 1 from reconciliation_days where day = of_day and sealed_at is not null)
$$;

-- The day of a record in our reconciliation: its own, or the next one that is open.
create function open_reconciliation_day(of_at timestamptz) returns date language plpgsql as $$
declare
  wanted date := (of_at at time zone 'Asia/Shanghai')::date;
begin
  perform pg_advisory_xact_lock_shared(reconciliation_lock());
  while is_day_sealed(wanted) loop
    wanted := wanted + 1;
  end loop;
  return wanted;
end
$$;

alter table channel_payments add column booked_on date;
alter table channel_refunds add column booked_on date;
alter table channel_payouts add column booked_on date;
update channel_payments set booked_on = (paid_at at time zone 'Asia/Shanghai')::date where state = 'paid';
update channel_refunds set booked_on = (ended_at at time zone 'Asia/Shanghai')::date where state = 'done';
update channel_payouts set booked_on = (ended_at at time zone 'Asia/Shanghai')::date where state = 'done';
create index channel_payments_booked on channel_payments (channel, booked_on) where booked_on is not null;
create index channel_refunds_booked on channel_refunds (booked_on) where booked_on is not null;
create index channel_payouts_booked on channel_payouts (channel, booked_on) where booked_on is not null;

create function book_channel_payment() returns trigger language plpgsql as $$
begin
  new.booked_on := open_reconciliation_day(new.paid_at);
  return new;
end
$$;
create trigger channel_payments_book before insert or update on channel_payments
  for each row when (new.state = 'paid' and new.booked_on is null) execute function book_channel_payment();

create function book_channel_return() returns trigger language plpgsql as $$
begin
  new.booked_on := open_reconciliation_day(new.ended_at);
  return new;
end
$$;
create trigger channel_refunds_book before insert or update on channel_refunds
  for each row when (new.state = 'done' and new.booked_on is null) execute function book_channel_return();
create trigger channel_payouts_book before insert or update on channel_payouts
  for each row when (new.state = 'done' and new.booked_on is null) execute function book_channel_return();

-- A payout that came back after all is none of its day any more, unless that day is sealed.
create function unbook_channel_return() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(reconciliation_lock());
  if not is_day_sealed(old.booked_on) then
    new.booked_on := null;
  end if;
  return new;
end
$$;
create trigger channel_refunds_unbook before update on channel_refunds
  for each row when (old.state = 'done' and new.state <> 'done') execute function unbook_channel_return();
create trigger channel_payouts_unbook before update on channel_payouts
  for each row when (old.state = 'done' and new.state <> 'done') execute function unbook_channel_return();

-- A sealed day never changes.
create function refuse_change_of_sealed_day() returns trigger language plpgsql as $$
declare
  of_day date := case when tg_op = 'INSERT' then new.day else old.day end;
begin
  if is_day_sealed(of_day) or (tg_op = 'UPDATE' and new.day <> old.day) then
    raise exception 'the day % is sealed', of_day using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger reconciliation_days_keep before update or delete on reconciliation_days
  for each row execute function refuse_change_of_sealed_day();
create trigger reconciliations_keep before insert or update or delete on reconciliations
  for each row execute function refuse_change_of_sealed_day();
create trigger reconciliation_differences_keep before insert or update or delete on reconciliation_differences
  for each row execute function refuse_change_of_sealed_day();
create trigger channel_bills_keep before insert or update or delete on channel_bills
  for each row execute function refuse_change_of_sealed_day();
create trigger channel_bill_lines_keep before update or delete on channel_bill_lines
  for each row execute function refuse_change_of_sealed_day();

-- Lines come by the ten thousand, so they are looked at once a statement.
create function refuse_lines_of_sealed_day() returns trigger language plpgsql as $$
begin
  if exists (select 1 from (select distinct day from added) days where is_day_sealed(day)) then
    raise exception 'the day is sealed' using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;
create trigger channel_bill_lines_open after insert on channel_bill_lines
  referencing new table as added for each statement execute function refuse_lines_of_sealed_day();

create function refuse_change_of_booked() returns trigger language plpgsql as $$
begin
  if is_day_sealed(old.booked_on) then
    raise exception 'the day % is sealed', old.booked_on using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger channel_payments_keep before update on channel_payments for each row
  when (old.booked_on is not null and (old.booked_on, old.number, old.channel, old.paid_fen)
        is distinct from (new.booked_on, new.number, new.channel, new.paid_fen))
  execute function refuse_change_of_booked();
create trigger channel_refunds_keep before update on channel_refunds for each row
  when (old.booked_on is not null and (old.booked_on, old.number, old.payment_id, old.amount_fen)
        is distinct from (new.booked_on, new.number, new.payment_id, new.amount_fen))
  execute function refuse_change_of_booked();
create trigger channel_payouts_keep before update on channel_payouts for each row
  when (old.booked_on is not null and (old.booked_on, old.number, old.channel, old.amount_fen)
        is distinct from (new.booked_on, new.number, new.channel, new.amount_fen))
  execute function refuse_change_of_booked();

create trigger reconciliation_days_no_truncate before truncate on reconciliation_days
  for each statement execute function refuse_change();
create trigger reconciliation_differences_no_truncate before truncate on reconciliation_differences
  for each statement execute function refuse_change();

-- The orders that were settled on a day.
create index orders_settled on orders (settled_at, id) where settled_at is not null;

-- Who reads the books may read what differs from them, and who may reverse their entries deals with it.
update positions set menu_codes = array_append(menu_codes, 'reconciliationList')
 where 'ledgerList' = any (menu_codes) and not 'reconciliationList' = any (menu_codes);
update positions set menu_codes = menu_codes || array['reconciliation.run', 'reconciliation.repair', 'reconciliation.seal']
 where 'ledger.reverse' = any (menu_codes) and not 'reconciliation.run' = any (menu_codes);
