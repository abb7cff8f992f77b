-- Which node holds a station's socket. The number rises with every arrival anywhere; what an older holder says of the
-- station's presence counts no more.
create sequence station_holders;
alter table stations add column holder text;
alter table stations add column holder_number bigint not null default 0;
create index stations_held on stations (holder) where online;

-- What a station signs in with: its password (or a certificate, where one is offered), a certificate and nothing else,
-- or nothing at all, which an operator chose for this one station, bound to the networks that are named.
alter table stations add column sign_in text not null default 'password'
  check (sign_in in ('password', 'certificate', 'open'));
alter table stations add column sign_in_networks text[] not null default '{}';
-- The password that a station was told to use from its next connection on: good beside the old one until it is seen.
alter table stations add column next_password_hash text;
alter table stations add column password_changed_at timestamptz;
create index stations_password_changed on stations (password_changed_at) where password_changed_at is not null;
-- Stations of OCPP without a password came in with nothing so far. That stays so until somebody says otherwise.
update stations set sign_in = 'open' where protocol = 'ocpp1.6' and password_hash is null;

-- Behind which address an unknown station was, so that none fills the list for the others.
alter table unknown_stations add column network text not null default '';
create index unknown_stations_seen on unknown_stations (last_seen_at);
create index unknown_stations_network on unknown_stations (network, last_seen_at);
