-- Everything of a site that its screen and its partners need.
alter table sites
  drop constraint sites_parking_fee_check,
  add constraint sites_parking_fee check (parking_fee in ('free', 'charged', 'reduced', 'limited', 'other')),
  add column version integer not null default 1,
  add column state text not null default 'normal'
    constraint sites_state check (state in ('normal', 'building', 'maintenance', 'closed_offline',
                                            'closed_for_business', 'unknown')),
  add column open_all_day boolean not null default false,
  add column site_phone text not null default '',
  add column bay_count integer not null default 0 constraint sites_bay_count check (bay_count >= 0),
  add column reservable boolean not null default false,
  add column vehicles text not null default '',
  add column directions text not null default '',
  add column payment_info text not null default '',
  add column remark text not null default '',
  add column kind text constraint sites_kind
    check (kind in ('public', 'private', 'bus', 'sanitation', 'logistics', 'taxi', 'other')),
  add column place text constraint sites_place
    check (place in ('residential', 'public_body', 'enterprise', 'office', 'industrial_park', 'transport_hub', 'venue',
                     'green_space', 'car_park', 'roadside', 'motorway', 'other')),
  add column level text constraint sites_level check (level in ('above_ground', 'underground')),
  add column capacity_kva integer constraint sites_capacity check (capacity_kva > 0),
  add column power_capacity_kw integer constraint sites_power_capacity check (power_capacity_kw > 0),
  add column staffed boolean not null default false,
  add column own_grid boolean not null default false,
  add column grid_account text not null default '',
  add column public_car_park boolean not null default false,
  add column car_park_number text not null default '',
  add column opened_at timestamptz,
  add column created_by bigint constraint sites_creator references users (id) on delete set null,
  add column changed_by bigint constraint sites_changer references users (id) on delete set null,
  add column changed_at timestamptz;
update sites set changed_at = created_at;
alter table sites alter column changed_at set not null, alter column changed_at set default now();

-- What the list is sorted and filtered by. Ids break ties, as in the list's order.
create index sites_newest on sites (created_at, id);
create index sites_changed on sites (changed_at, id);
create index sites_by_name on sites (name collate "zh-x-icu", id);
create index sites_name_pieces on sites using gin (text_pieces(name, 2));
create index sites_of_agent on sites (agent_id, created_at, id);
drop index sites_agent;
create index sites_in_state on sites (state, created_at, id);
create index sites_of_kind on sites (kind, created_at, id) where kind is not null;
create index sites_by_parking_fee on sites (parking_fee, created_at, id);
create index sites_with_invoice on sites (invoice_available, created_at, id);
create index sites_opened on sites (created_at, id) where opened_at is not null;

create table site_pictures (
  site_id bigint not null constraint site_pictures_site references sites (id) on delete cascade,
  place smallint not null constraint site_pictures_place check (place between 1 and 5),
  file_id bigint not null constraint site_pictures_file references files (id),
  slot text not null
    constraint site_pictures_slot check (slot in ('entrance', 'sign', 'panorama', 'charger', 'other')),
  constraint site_pictures_in_order primary key (site_id, place),
  constraint site_pictures_once unique (site_id, file_id)
);
create index site_pictures_of_file on site_pictures (file_id);
