-- The list puts acts without an amount last.
drop index approvals_by_amount;
create index approvals_by_amount on approvals (amount_fen desc nulls last, id desc);
