-- A position grants menus and buttons by their codes; what these allow is the menus' to say.

-- Nobody could change a menu before this: the server writes all of them anew, in their order.
delete from menus;
-- Came with the product: its kind, its addresses and what it allows are fixed.
alter table menus add column built_in boolean not null default false;
-- A note for administrators; nothing is decided by it.
alter table menus add column backend_url text not null default '';
alter table menus add constraint menus_button check (kind = 'menu' or (parent_code is not null and frontend_url is null));
create index menus_parent on menus (parent_code, sort, code);

alter table positions add column menu_codes text[] not null default '{}';
-- Whose position it is; null for the platform's.
alter table positions add column agent_id bigint references agents (id);
alter table positions drop constraint positions_name_key;
alter table positions add constraint positions_name unique nulls not distinct (agent_id, name);

-- Reading comes with the menus of the screens; everything else is a button named like the permission.
update positions set menu_codes = array(
  select distinct code
    from unnest(permissions) as permission
   cross join lateral (
     select unnest(codes) as code
       from (values ('overview.read', '{home}'::text[]),
                    ('site.read', '{plotList}'),
                    ('station.read', '{deviceList}'),
                    ('connector.read', '{portList}'),
                    ('log.read', '{deviceLogOther,deviceLogCharging}'),
                    ('order.read', '{orderListReal,orderListHistory,orderListAbnormal,orderListRefund}'),
                    ('tariff.read', '{rulesList}'),
                    ('customer.read', '{registerUser}'),
                    ('card.read', '{cardList}'),
                    ('recharge.read', '{chongzhiRecods}'),
                    ('ledger.read', '{financeList}'),
                    ('agent.read', '{operatorList}')) as reading (name, codes)
      where reading.name = permission
      union all
     select permission where permission not like '%.read') as granted
   order by code);
alter table positions drop column permissions;

create index positions_created on positions (created_at desc, id desc);
create index positions_agent on positions (agent_id) where agent_id is not null;
create index users_last_login on users (last_login_at desc nulls last, id desc);
