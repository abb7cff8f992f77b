-- Gifts, transfers and prepaid money that were entered by mistake and reversed in the ledger, with who reversed them.
alter table wallet_gifts
  add column reversed_at timestamptz,
  add column reversed_by bigint references users (id),
  add column reversal_reason text;
alter table wallet_transfers
  add column reversed_at timestamptz,
  add column reversed_by bigint references users (id),
  add column reversal_reason text;
alter table agent_recharges
  add column reversed_at timestamptz,
  add column reversed_by bigint references users (id),
  add column reversal_reason text;
