-- A correction of an order's shares above a limit waits for a second person.
alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome', 'agent_withdrawal', 'agent_withdrawal_return', 'share_correction'));

-- Who had a site, and when: a day belongs to who had it at its end. The first one had it from the beginning.
create table site_holders (
  id bigint generated always as identity primary key,
  site_id bigint not null constraint site_holders_site references sites (id) on delete cascade,
  agent_id bigint constraint site_holders_agent references agents (id) on delete set null,
  from_at timestamptz not null,
  to_at timestamptz,
  constraint site_holders_time check (to_at >= from_at)
);
create unique index site_holders_present on site_holders (site_id) where to_at is null;
create index site_holders_of_site on site_holders (site_id, from_at desc, id desc);
create index site_holders_of_agent on site_holders (agent_id, site_id) where agent_id is not null;
insert into site_holders (site_id, agent_id, from_at) select id, agent_id, '-infinity' from sites;

create function note_site_holder() returns trigger language plpgsql as $$
declare
  moved_at timestamptz := now();
begin
  if tg_op = 'INSERT' then
    insert into site_holders (site_id, agent_id, from_at) values (new.id, new.agent_id, '-infinity');
    return null;
  end if;
  if new.changed_at is distinct from old.changed_at then
    moved_at := new.changed_at;
  end if;
  update site_holders set to_at = greatest(moved_at, from_at) where site_id = new.id and to_at is null
    returning to_at into moved_at;
  insert into site_holders (site_id, agent_id, from_at) values (new.id, new.agent_id, moved_at);
  return null;
end
$$;
create trigger sites_first_holder after insert on sites for each row execute function note_site_holder();
create trigger sites_next_holder after update on sites for each row
  when (old.agent_id is distinct from new.agent_id) execute function note_site_holder();

create function site_holder_on(of_site bigint, day date) returns bigint language sql stable as $$
  select agent_id from site_holders
   where site_id = of_site and from_at < (day + 1)::timestamp at time zone 'Asia/Shanghai'
   order by from_at desc, id desc limit 1
$$;

-- A bill belongs to who had its site on its last day, and stays with them when the site is handed over.
alter table grid_bills
  add column agent_id bigint constraint grid_bills_agent references agents (id),
  -- What the platform locked, no agent unlocks.
  add column locked_by_platform boolean not null default false;
update grid_bills b set agent_id = s.agent_id from sites s where s.id = b.site_id;
update grid_bills b set locked_by_platform = true
 where locked_at is not null and not exists (select 1 from users where id = b.locked_by and agent_id is not null);
alter table grid_bills
  add constraint grid_bills_locked_by_platform check (not locked_by_platform or locked_at is not null);
create index grid_bills_agent on grid_bills (agent_id, from_on, id);
create function name_billed_agent() returns trigger language plpgsql as $$
begin
  new.agent_id := site_holder_on(new.site_id, new.to_on);
  return new;
end
$$;
create trigger grid_bills_of_agent before insert or update of site_id, to_on on grid_bills
  for each row execute function name_billed_agent();

-- Reading the books gave everybody the grid's bills too. They stay with whoever runs the books, and with the built-in
-- positions.
update positions
   set menu_codes = array_remove(array_remove(menu_codes, 'finance.grid_bill'), 'finance.grid_bill_lock')
 where name_key is null and 'ledgerList' = any (menu_codes) and not 'ledger.reverse' = any (menu_codes);

-- Refunding orders gave what is settled with agents and dividers too. It stays with whoever has to do with either.
update positions set menu_codes = array_remove(menu_codes, 'settlementList')
 where name_key is null and 'order.refund' = any (menu_codes)
   and not menu_codes && '{settlement.settle,settlement.change,ledgerList,operatorList,accountChildren,dividerIncome,shareTermsList}'::text[];

-- Why a day was sealed although the bill of a channel never came; its seal has it too.
alter table reconciliation_days
  add column missing_bill_reason text,
  add constraint reconciliation_days_missing_bill check (missing_bill_reason is null or sealed_at is not null);

-- The day whose figures of the home page were proven, and the orders that ended or were posted on it but not both.
alter table total_proofs add column across_days jsonb;
