-- A rule is the line of its versions, named by the first one's id. A version's `detail` never changes: stations and
-- orders refer to it by its id. Name, note and owner belong to the rule and are the same in all of its versions.
alter table tariffs
  -- Zero stands for the row's own id, which is the rule of a first version.
  add column rule_id bigint not null default 0,
  add column version integer not null default 1 constraint tariffs_version_positive check (version > 0),
  add column state text not null default 'in_force'
    constraint tariffs_state check (state in ('waiting', 'in_force', 'past', 'cancelled')),
  add column effective_at timestamptz not null default now(),
  add column note text not null default '',
  add column created_by bigint constraint tariffs_created_by references users (id) on delete set null,
  -- A deleted rule stays for the orders that it priced.
  add column archived_at timestamptz;
update tariffs set rule_id = id, effective_at = created_at;

create function name_tariff_rule() returns trigger language plpgsql as $$
begin
  if new.rule_id = 0 then
    new.rule_id := new.id;
  end if;
  return new;
end
$$;
create trigger tariffs_rule before insert on tariffs for each row execute function name_tariff_rule();

alter table tariffs
  add constraint tariffs_rule foreign key (rule_id) references tariffs (id),
  add constraint tariffs_rule_version unique (rule_id, version);
create unique index tariffs_in_force on tariffs (rule_id) where state = 'in_force';
create unique index tariffs_waiting on tariffs (rule_id, effective_at) where state = 'waiting';
create index tariffs_due on tariffs (effective_at) where state = 'waiting';
create index tariffs_listed_created on tariffs (created_at desc, id desc) where state = 'in_force' and archived_at is null;
create index tariffs_listed_name on tariffs (name collate "zh-x-icu", id) where state = 'in_force' and archived_at is null;
create index tariffs_agent on tariffs (agent_id) where state = 'in_force' and archived_at is null;

-- The rule of a new station for which nobody chose one: its agent's, otherwise the platform's (`agent_id` null).
create table tariff_defaults (
  agent_id bigint constraint tariff_defaults_agent references agents (id) on delete cascade,
  equipment_type text not null
    constraint tariff_defaults_equipment_type check (equipment_type in ('two-wheel', 'four-wheel')),
  rule_id bigint not null constraint tariff_defaults_rule references tariffs (id),
  constraint tariff_defaults_one unique nulls not distinct (agent_id, equipment_type)
);
create index tariff_defaults_of_rule on tariff_defaults (rule_id);

-- Stations by their rules: counted for each rule, and moved when a version takes effect.
create index stations_card_tariff on stations (card_tariff_id) where card_tariff_id is not null;
create index stations_wechat_tariff on stations (wechat_tariff_id) where wechat_tariff_id is not null;

-- The history of a rule's stations is a list.
alter table station_tariffs add column id bigint generated always as identity;
create unique index station_tariffs_id on station_tariffs (id);
create index station_tariffs_tariff on station_tariffs (tariff_id, from_at desc, id desc) where tariff_id is not null;
