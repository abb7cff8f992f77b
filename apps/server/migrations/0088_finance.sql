-- What orders moved in the books, day by day in China, and what every kind of account changed by. Both are kept sums of
-- the transfers up to `kept_to`; whoever reads them adds the transfers after it. They can be made again at any time.
create table finance_progress (
  only_row boolean primary key default true check (only_row),
  kept_to bigint not null default 0
);
insert into finance_progress default values;

-- By the site of the orders and the agent who ran their stations; null for the platform's own.
create table statement_days (
  day date not null,
  site_id bigint,
  agent_id bigint,
  orders integer not null,
  energy_wh bigint not null,
  electricity_fen bigint not null,
  service_fen bigint not null,
  coupon_fen bigint not null,
  coupon_back_fen bigint not null,
  received_fen bigint not null,
  refunded_fen bigint not null,
  forgiven_fen bigint not null,
  written_off_fen bigint not null,
  channel_fee_fen bigint not null,
  commission_fen bigint not null,
  constraint statement_days_one unique nulls not distinct (day, site_id, agent_id)
);
create index statement_days_site on statement_days (site_id, day);
create index statement_days_agent on statement_days (agent_id, day);

-- What of it went to each party, and what was paid out to parties. A payout has no site; its agent is the party, or the
-- one who is above the divider.
create table statement_shares (
  day date not null,
  site_id bigint,
  agent_id bigint,
  party text not null constraint statement_shares_party check (party in ('agent', 'divider')),
  party_id bigint not null,
  shared_fen bigint not null,
  paid_out_fen bigint not null,
  constraint statement_shares_one unique nulls not distinct (day, site_id, agent_id, party, party_id)
);
create index statement_shares_site on statement_shares (site_id, day);
create index statement_shares_agent on statement_shares (agent_id, day);

-- `account` is the key of an account, and its prefix alone for wallets, of which there are too many.
create table ledger_days (
  day date not null,
  account text not null,
  change_fen bigint not null,
  primary key (account, day)
);

-- What one transfer of an order moved, by what it means in a statement.
create view statement_flows as
select t.id, t.position, t.created_at, t.reason, t.order_id, o.site_id, o.agent_id,
       (t.created_at at time zone 'Asia/Shanghai')::date as day,
       (t.reason = 'charge_settled')::int as orders,
       case when t.reason = 'charge_settled' then o.energy_wh else 0 end as energy_wh,
       m.*
  from ledger_transfers t
  join orders o on o.id = t.order_id
  cross join lateral (
    select coalesce(sum(amount) filter (where settles and taker = 'electricity-income:site'), 0)::bigint as electricity_fen,
           coalesce(sum(amount) filter (where settles and taker = 'service-income:site'), 0)::bigint as service_fen,
           coalesce(sum(amount) filter (where giver = 'coupon-expense'), 0)::bigint as coupon_fen,
           coalesce(sum(amount) filter (where taker = 'coupon-expense'), 0)::bigint as coupon_back_fen,
           coalesce(sum(case when is_wallet_giver and (takes_income or taker like 'receivable:%') then amount
                             when is_wallet_taker and giver like 'receivable:%' then -amount end), 0)::bigint as received_fen,
           coalesce(sum(amount) filter (where gives_income and is_wallet_taker), 0)::bigint as refunded_fen,
           coalesce(sum(amount) filter (where gives_income and taker like 'receivable:%'), 0)::bigint as forgiven_fen,
           coalesce(sum(case when giver = 'bad-debt' then amount when taker = 'bad-debt' then -amount end), 0)::bigint
             as written_off_fen,
           coalesce(sum(case when taker = 'channel-fee' then amount when giver = 'channel-fee' then -amount end), 0)::bigint
             as channel_fee_fen,
           coalesce(sum(case when taker = 'commission' then amount when giver = 'commission' then -amount end), 0)::bigint
             as commission_fen
      from (
        select p.amount_fen as amount, f.prefix as giver, g.prefix as taker, t.reason = 'charge_settled' as settles,
               f.prefix in ('electricity-income:site', 'service-income:site') as gives_income,
               g.prefix in ('electricity-income:site', 'service-income:site') as takes_income,
               f.prefix like 'card%' or f.prefix like 'customer%' as is_wallet_giver,
               g.prefix like 'card%' or g.prefix like 'customer%' as is_wallet_taker
          from ledger_postings p
          join ledger_accounts f on f.id = p.from_account_id
          join ledger_accounts g on g.id = p.to_account_id
         where p.transfer_id = t.id) posting) m
 where t.order_id is not null
   and t.reason in ('charge_settled', 'order_shared', 'refund_order', 'debt_repaid', 'debt_written_off', 'correction', 'reversal');

-- What one transfer moved to parties, and out to their balances.
create view statement_share_flows as
select t.id, t.position, t.created_at, t.order_id, (t.created_at at time zone 'Asia/Shanghai')::date as day,
       o.site_id,
       case when t.order_id is not null then o.agent_id when s.party = 'agent' then s.party_id else d.agent_id end as agent_id,
       s.party, s.party_id, s.shared_fen, s.paid_out_fen
  from ledger_transfers t
  left join orders o on o.id = t.order_id
  cross join lateral (
    select party, party_id, coalesce(sum(change) filter (where is_income), 0)::bigint as shared_fen,
           coalesce(-sum(change) filter (where is_payout), 0)::bigint as paid_out_fen
      from (
        select case side.prefix when 'agent-share' then 'agent' else 'divider' end as party, side.owner_id as party_id,
               change, other.prefix in ('electricity-income:site', 'service-income:site') as is_income,
               other.prefix in ('agent-balance', 'divider-balance') as is_payout
          from ledger_postings p
          cross join lateral (values (p.to_account_id, p.from_account_id, p.amount_fen),
                                     (p.from_account_id, p.to_account_id, -p.amount_fen)) as way (own_id, other_id, change)
          join ledger_accounts side on side.id = way.own_id and side.prefix in ('agent-share', 'divider-share')
          join ledger_accounts other on other.id = way.other_id
         where p.transfer_id = t.id) posting
     group by party, party_id) s
  left join dividers d on s.party = 'divider' and d.id = s.party_id
 where t.reason in ('order_shared', 'shares_paid_out', 'correction', 'reversal');

-- The transfers that the kept sums do not hold yet. Their plan sees the position as a value: there are few of them.
create function statement_tail() returns setof statement_flows language plpgsql stable as $$
begin
  return query execute format('select * from statement_flows where position > %s', (select kept_to from finance_progress));
end
$$;
create function statement_share_tail() returns setof statement_share_flows language plpgsql stable as $$
begin
  return query execute format('select * from statement_share_flows where position > %s',
                              (select kept_to from finance_progress));
end
$$;

-- What transfers change by day and account, as `ledger_days` keeps it.
create function ledger_changes(from_position bigint, to_position bigint)
returns table (day date, account text, change_fen bigint) language plpgsql stable as $$
begin
  return query execute format($query$
    select (t.created_at at time zone 'Asia/Shanghai')::date,
           case when a.prefix like 'card%%' or a.prefix like 'customer%%' or a.prefix like 'receivable:%%' then a.prefix
                else a.key end, sum(m.change)::bigint
      from ledger_transfers t
      join ledger_postings p on p.transfer_id = t.id
      cross join lateral (values (p.to_account_id, p.amount_fen), (p.from_account_id, -p.amount_fen)) as m (account_id, change)
      join ledger_accounts a on a.id = m.account_id
     where t.position > %s and t.position <= %s
     group by 1, 2$query$, from_position, to_position);
end
$$;

-- What the grid operator billed for a site's meter. Rates and energy are by period where the bill has periods.
create table grid_bills (
  id bigint generated always as identity primary key,
  version integer not null default 1,
  site_id bigint not null references sites (id),
  -- The number of the meter's contract (户号).
  account_number text not null,
  from_on date not null,
  to_on date not null,
  sharp_wh bigint, peak_wh bigint, flat_wh bigint, valley_wh bigint,
  sharp_price_e5 integer, peak_price_e5 integer, flat_price_e5 integer, valley_price_e5 integer,
  energy_wh bigint not null,
  -- Of the meter, whose readings are multiplied by the ratio of its transformers.
  register_from_wh bigint,
  register_to_wh bigint,
  multiplier integer not null default 1,
  amount_fen bigint not null,
  remark text not null default '',
  file_id bigint references files (id),
  locked_at timestamptz,
  locked_by bigint references users (id),
  created_by bigint references users (id),
  created_at timestamptz not null,
  changed_by bigint references users (id),
  changed_at timestamptz not null,
  constraint grid_bills_days check (to_on >= from_on and to_on - from_on < 400),
  constraint grid_bills_energy check (energy_wh > 0 and amount_fen >= 0 and multiplier >= 1),
  constraint grid_bills_registers check (register_to_wh >= register_from_wh)
);
create index grid_bills_site on grid_bills (site_id, from_on, id);
create index grid_bills_from on grid_bills (from_on, id);
create index grid_bills_account on grid_bills (account_number, from_on);
create index grid_bills_file on grid_bills (file_id) where file_id is not null;

-- A checked file of grid bills. None of them is entered before its user agrees.
create table grid_bill_imports (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint grid_bill_imports_user references users (id) on delete cascade,
  file_name text not null,
  ignored_columns text[] not null default '{}',
  total_count integer not null,
  good_count integer not null,
  imported_at timestamptz,
  created_at timestamptz not null
);
create index grid_bill_imports_user on grid_bill_imports (user_id);
create index grid_bill_imports_created on grid_bill_imports (created_at);

create table grid_bill_import_rows (
  import_id bigint not null constraint grid_bill_import_rows_import references grid_bill_imports (id) on delete cascade,
  line integer not null,
  -- By field of a bill, as the file has them.
  cells jsonb not null,
  -- Null in a good row.
  faults jsonb,
  primary key (import_id, line)
);
create index grid_bill_import_rows_faults on grid_bill_import_rows (import_id, line) where faults is not null;

alter table files drop constraint files_purpose;
alter table files add constraint files_purpose
  check (purpose in ('editor', 'advert', 'site', 'avatar', 'feedback', 'document', 'licence', 'task', 'invoice', 'grid_bill'));

-- Whoever reads the books reads what is added up from them, and an agent's people what is theirs.
update positions set menu_codes = menu_codes || array['financeList', 'finance.holdings', 'finance.grid_bill', 'finance.grid_bill_lock']
 where 'ledgerList' = any (menu_codes) and not 'financeList' = any (menu_codes);
update positions set menu_codes = menu_codes || array['financeList', 'finance.grid_bill', 'finance.grid_bill_lock']
 where name_key = 'position.agent' and not 'financeList' = any (menu_codes);
