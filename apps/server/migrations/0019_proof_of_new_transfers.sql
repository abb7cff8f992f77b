-- The proof of the books that reads only what is new. A transfer's position is taken when it is written, from a sequence
-- of its own: ids may have been put aside long before.
alter table ledger_transfers add column position bigint not null generated always as identity;
create unique index ledger_transfers_position on ledger_transfers (position) include (id);

-- What the postings of all transfers up to a position add up to.
create table ledger_proven_sums (
  account_id bigint primary key,
  sum_fen bigint not null
);

create table ledger_proof (
  only_row boolean primary key default true check (only_row),
  -- Every transfer up to this position is in the sums, and none will come any more.
  proven_to bigint not null default 0,
  -- Accounts up to this id were compared in the present round.
  compared_to bigint not null default 0
);
insert into ledger_proof default values;

-- Accounts whose balance is not what their postings add up to, as long as it is so.
create table ledger_differences (
  account_id bigint primary key,
  kept_fen bigint not null,
  posted_fen bigint not null,
  found_at timestamptz not null
);
