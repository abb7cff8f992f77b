-- Why the provider's last answer about an invoice could not be taken, for the person who waits for it.
alter table invoices add column doubt text
  constraint invoices_doubt check (doubt in ('no_answer', 'other_amount', 'number_taken', 'bad_number'));

-- A number is one invoice's. Fully digital invoices have no code.
create unique index invoices_number_once on invoices (invoice_number, provider, coalesce(invoice_code, ''))
  where invoice_number is not null;

-- Shares lie on the day of their transfer, which is never a sealed one: a clock may go back over the end of a day.
create or replace function write_order_shares(
  of_order bigint, of_site bigint, posting_number integer, written_at timestamptz, shares jsonb
) returns integer language plpgsql as $$
declare
  written integer;
begin
  written_at := open_moment(written_at);
  perform pg_advisory_xact_lock_shared(lock) from (
    select distinct settlement_lock(s.party, coalesce(s.agent_id, s.divider_id)) as lock
      from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint)
     where s.party <> 'platform' order by lock) locks;
  with owners as materialized (
    select o.party, o.id, settlement_period(o.party, o.id, (written_at at time zone 'Asia/Shanghai')::date,
             case o.party when 'agent' then (select settlement_cycle from agents where id = o.id)
                          else (select settlement_cycle from dividers where id = o.id) end, written_at) as period_id
      from (select distinct s.party, coalesce(s.agent_id, s.divider_id) as id
              from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint)
             where s.party <> 'platform' order by 1, 2) o)
  insert into order_shares (order_id, number, party, agent_id, divider_id, reason, electricity_fen, service_fen,
                            occupancy_fen, site_id, period_id, created_at)
    select of_order, posting_number, s.party, s.agent_id, s.divider_id, s.reason, s.electricity_fen, s.service_fen,
           s.occupancy_fen, of_site, o.period_id, written_at
      from jsonb_to_recordset(shares) as s (party text, agent_id bigint, divider_id bigint, reason text,
             electricity_fen bigint, service_fen bigint, occupancy_fen bigint)
      left join owners o on o.party = s.party and o.id = coalesce(s.agent_id, s.divider_id);
  get diagnostics written = row_count;
  return written;
end
$$;
