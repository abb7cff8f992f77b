-- Whether figures that are kept or counted in different places are the same numbers, each time it was looked at.
create table total_proofs (
  id bigint generated always as identity primary key,
  proven_at timestamptz not null,
  took_ms integer not null,
  -- Null for the nightly one.
  user_id bigint references users (id) on delete set null,
  -- Each figure as it is in two places.
  rows jsonb not null,
  differing integer not null
);
create index total_proofs_at on total_proofs (proven_at desc, id desc);
