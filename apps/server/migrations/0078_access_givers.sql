-- Everybody who gave an account its access, and when: a later one does not hide an earlier one.
create table access_givers (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  giver_id bigint not null,
  at timestamptz not null,
  constraint access_givers_user foreign key (user_id) references users (id) on delete cascade,
  constraint access_givers_giver foreign key (giver_id) references users (id) on delete cascade
);
create index access_givers_of_user on access_givers (user_id, at);
create index access_givers_of_giver on access_givers (giver_id);
insert into access_givers (user_id, giver_id, at)
select u.id, a.user_id, a.at
  from audit_entries a join users u on u.id::text = a.record_id join users g on g.id = a.user_id
 -- Older ones count no more.
 where a.at > now() - interval '60 days' and a.record_kind = 'user' and a.user_id <> u.id
   and (a.action in ('user.create', 'user.password_reset')
        or a.action = 'user.change' and a.before ->> 'phone' is distinct from a.after ->> 'phone')
union
select id, access_given_by, access_given_at from users
 where access_given_by is not null and access_given_at is not null;
alter table users drop column access_given_by, drop column access_given_at;
