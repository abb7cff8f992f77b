-- Who last gave an account its access: added it, reset its password or changed its phone. It stays when the owner sets a
-- password of their own, because the first to sign in with an initial one may be whoever gave it.
alter table users add column access_given_by bigint constraint users_access_given_by references users (id) on delete set null;
alter table users add column access_given_at timestamptz;
update users u
   set access_given_by = g.user_id, access_given_at = g.at
  from (select distinct on (record_id) record_id, user_id, at from audit_entries
         where action in ('user.create', 'user.password_reset') and record_kind = 'user'
         order by record_id, id desc) g
 where u.id::text = g.record_id and g.user_id in (select id from users);
