-- What the lists of partners' sites, stations and gun ports, and of their pulls, are read by.
drop index pulled_sites_name;
create index pulled_sites_by_name on pulled_sites (name collate "zh-x-icu", id);
create index pulled_sites_name_pieces on pulled_sites using gin (text_pieces(name, 2));
create index pulled_sites_by_code on pulled_sites (code);
create index pulled_sites_of_partner on pulled_sites (partner_id, added_at desc, id desc);
create index pulled_sites_gone on pulled_sites (added_at desc, id desc) where missing_at is not null;
create index pulled_sites_in_state on pulled_sites (state, added_at desc, id desc);
create index pulled_sites_of_kind on pulled_sites (kind, added_at desc, id desc);
create index pulled_stations_by_code on pulled_stations (code);
create index pulled_ports_by_code on pulled_ports (code);
create index pulled_ports_of_partner on pulled_ports (partner_id, added_at desc, id desc);
create index pulled_ports_of_kind on pulled_ports (kind, added_at desc, id desc);
create index partner_pulls_newest on partner_pulls (started_at desc, id desc);

-- Why a pull failed, in a word that every language has; `failure` is what the partner said or what its HTTP status was.
alter table partner_pulls add column fault text;

-- Which sites a pull found added, changed or gone, and what it could not read; the first thousand of a pull.
create table partner_pull_changes (
  id bigint generated always as identity primary key,
  pull_id bigint not null constraint partner_pull_changes_pull references partner_pulls (id) on delete cascade,
  change text not null constraint partner_pull_changes_change check (change in ('added', 'changed', 'missing', 'left_out')),
  -- The partner's own name of the site; of what could not be read, where in the message it was.
  code text not null,
  -- Empty for what could not be read.
  name text not null
);
create index partner_pull_changes_pull on partner_pull_changes (pull_id, id);
