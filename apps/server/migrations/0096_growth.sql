-- A proof that did not come to its end: at which figure, and why.
alter table total_proofs add column failed_total text;
alter table total_proofs add column failure text
  constraint total_proofs_failure check (failure in ('out_of_time', 'sums_behind', 'other'));

-- Each time that the kept sums of a day were compared with its postings; what differs is made again.
create table kept_sum_proofs (
  id bigint generated always as identity primary key,
  day date not null,
  proven_at timestamptz not null,
  took_ms integer not null,
  -- Null where the comparison did not come to its end.
  differing integer,
  failure text constraint kept_sum_proofs_failure check (failure in ('out_of_time', 'sums_behind', 'other')),
  constraint kept_sum_proofs_end check ((differing is null) <> (failure is null))
);
create index kept_sum_proofs_at on kept_sum_proofs (proven_at desc, id desc);

-- So many transfers are added up for a reader at most: twice as many take nine seconds.
create function finance_tail_max() returns bigint language sql immutable as $$ select 50000::bigint $$;

-- The position after which readers add transfers to the kept sums. Where there are too many of them the read is refused
-- (VS001); the detail says until when the sums reach, in China.
create function finance_tail_from() returns bigint language plpgsql stable as $$
declare
  kept bigint := (select kept_to from finance_progress);
begin
  if (select max(position) from ledger_transfers) - kept > finance_tail_max()
     and (select count(*) from (select from ledger_transfers where position > kept limit finance_tail_max() + 1) t)
         > finance_tail_max() then
    raise exception 'the sums of statements are behind' using errcode = 'VS001', detail = (
      select to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') from (
        (select created_at, 1 as place from ledger_transfers where position <= kept order by position desc limit 1)
        union all
        (select created_at, 2 from ledger_transfers where position > kept order by position limit 1)) reached
       order by place limit 1);
  end if;
  return kept;
end
$$;
create or replace function statement_tail() returns setof statement_flows language plpgsql stable as $$
begin
  return query execute format('select * from statement_flows where position > %s', finance_tail_from());
end
$$;
create or replace function statement_share_tail() returns setof statement_share_flows language plpgsql stable as $$
begin
  return query execute format('select * from statement_share_flows where position > %s', finance_tail_from());
end
$$;

-- What transfers change by day and account, as `ledger_days` keeps it.
create view ledger_flows as
select t.id, t.position, t.created_at, (t.created_at at time zone 'Asia/Shanghai')::date as day,
       case when a.prefix like 'card%' or a.prefix like 'customer%' or a.prefix like 'receivable:%' then a.prefix
            else a.key end as account, m.change as change_fen
  from ledger_transfers t
  join ledger_postings p on p.transfer_id = t.id
  cross join lateral (values (p.to_account_id, p.amount_fen), (p.from_account_id, -p.amount_fen)) as m (account_id, change)
  join ledger_accounts a on a.id = m.account_id;
drop function ledger_changes(bigint, bigint);
create function ledger_tail() returns table (day date, account text, change_fen bigint) language plpgsql stable as $$
begin
  return query execute format('select day, account, sum(change_fen)::bigint from ledger_flows where position > %s
                                group by 1, 2', finance_tail_from());
end
$$;

-- When an order is settled, or money of one moves: its own moment, or the beginning of the next day that is not sealed.
-- What is dated today can meet a seal only in the last hour of it, because no transaction takes so long: at all other
-- times settling takes no lock.
create function open_moment(of_at timestamptz) returns timestamptz language plpgsql as $$
declare
  wanted date := (of_at at time zone 'Asia/Shanghai')::date;
  here timestamp := clock_timestamp() at time zone 'Asia/Shanghai';
begin
  if wanted <> here::date or here >= wanted + time '23:00' then
    perform pg_advisory_xact_lock_shared(reconciliation_lock());
  end if;
  if not exists (select from reconciliation_days where day = wanted and sealed_at is not null) then
    return of_at;
  end if;
  while is_day_sealed(wanted) loop
    wanted := wanted + 1;
  end loop;
  return wanted::timestamp at time zone 'Asia/Shanghai';
end
$$;
create function date_transfer() returns trigger language plpgsql as $$
begin
  new.created_at := open_moment(new.created_at);
  return new;
end
$$;
create trigger ledger_transfers_open_day before insert on ledger_transfers
  for each row when (new.order_id is not null) execute function date_transfer();
create function date_settlement() returns trigger language plpgsql as $$
begin
  new.settled_at := open_moment(new.settled_at);
  return new;
end
$$;
create trigger orders_open_day_of_new before insert on orders
  for each row when (new.settled_at is not null) execute function date_settlement();
create trigger orders_open_day before update of settled_at on orders
  for each row when (new.settled_at is distinct from old.settled_at and new.settled_at is not null)
  execute function date_settlement();

-- What the shares of open periods come to, up to a share that no earlier one will be written before any more; readers
-- add the shares after it. Settling writes nothing here.
create table settlement_sums (
  period_id bigint primary key,
  orders integer not null,
  shares_fen bigint not null
);
create table settlement_progress (
  only_row boolean primary key default true check (only_row),
  -- The last share that the sums hold.
  kept_to bigint not null default 0,
  -- The last share that there was at a moment, and the first transaction that had not begun then. Once all before it have
  -- ended, the shares up to there are complete.
  next_to bigint not null default 0,
  next_after_transaction bigint not null default 0
);
insert into settlement_progress default values;
