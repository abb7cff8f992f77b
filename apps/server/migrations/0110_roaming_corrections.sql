-- What was done about a charge at another operator's station after it was paid: money given back as both operators agreed,
-- a debt given up, or a contradicting bill to which what was paid was upheld.
create table roaming_corrections (
  id bigint generated always as identity primary key,
  charge_id bigint not null constraint roaming_corrections_charge references roaming_charges (id),
  kind text not null constraint roaming_corrections_kind check (kind in ('refund', 'write_off', 'upheld')),
  amount_fen bigint not null constraint roaming_corrections_amount check ((amount_fen > 0) = (kind <> 'upheld')),
  -- The part of a refund that reduced a debt.
  forgiven_fen bigint not null default 0 constraint roaming_corrections_forgiven check (forgiven_fen between 0 and amount_fen),
  reason text not null,
  user_id bigint constraint roaming_corrections_user references users (id),
  created_at timestamptz not null
);
create index roaming_corrections_of_charge on roaming_corrections (charge_id, id);

alter table roaming_charges
  -- What went back to the wallet, of it gifts; and what was forgiven and given up of a debt.
  add column refunded_fen bigint not null default 0,
  add column refunded_gift_fen bigint not null default 0,
  add column forgiven_fen bigint not null default 0 constraint roaming_charges_forgiven check (forgiven_fen >= 0),
  add column written_off_fen bigint not null default 0 constraint roaming_charges_written_off check (written_off_fen >= 0),
  add constraint roaming_charges_refunded check (refunded_fen between 0 and paid_fen),
  add constraint roaming_charges_refunded_gift check (refunded_gift_fen between 0 and least(refunded_fen, gift_paid_fen)),
  drop constraint roaming_charges_paid,
  add constraint roaming_charges_paid
    check (state <> 'completed' or paid_fen + owed_fen + forgiven_fen + written_off_fen = amount_fen);

alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome', 'agent_withdrawal', 'agent_withdrawal_return', 'share_correction', 'partner_deposit',
  'partner_payment', 'roaming_refund', 'roaming_write_off'));
