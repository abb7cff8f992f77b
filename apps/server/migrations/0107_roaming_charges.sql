-- Charges of our customers at the stations of other operators. They are no orders: none of our rules, meters and shares
-- hold for them, and what they cost is what the partner says.
create table roaming_charges (
  id bigint generated always as identity primary key,
  -- StartChargeSeq: our name of it, by which the partner knows it.
  sequence text not null constraint roaming_charges_sequence unique,
  partner_id bigint not null constraint roaming_charges_partner references partners (id),
  customer_id bigint not null constraint roaming_charges_customer references customers (id),
  state text not null constraint roaming_charges_state
    check (state in ('starting', 'charging', 'settling', 'disputed', 'completed', 'cancelled')),
  -- The place as the partner told it at the start; a pull may take it away afterwards.
  pulled_port_id bigint constraint roaming_charges_port references pulled_ports (id) on delete set null,
  site_code text not null,
  site_name text not null,
  station_code text not null,
  port_code text not null,
  -- Rated power of the port; 0 where the partner did not tell it.
  power_w integer not null default 0,
  -- The prices of the day that the customer was shown (PartnerPriceSlot).
  prices jsonb not null,
  held_fen bigint not null default 0 constraint roaming_charges_held check (held_fen >= 0),
  held_gift_fen bigint not null default 0 constraint roaming_charges_held_gift check (held_gift_fen between 0 and held_fen),
  holds integer not null default 0,
  -- Why it was cancelled: in our words, or a Ret.
  refusal text,
  placed_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  settled_at timestamptz,
  -- What the partner told last while it ran, and when the state is asked for if nothing is heard.
  heard_at timestamptz,
  poll_due_at timestamptz,
  polls integer not null default 0,
  stop_asked_at timestamptz,
  energy_wh bigint not null default 0,
  -- The energy that was told last while it ran: a bill of less is doubted, and so is one that corrects a doubted bill.
  heard_wh bigint not null default 0,
  electricity_fee_fen bigint not null default 0,
  service_fee_fen bigint not null default 0,
  amount_fen bigint not null default 0,
  soc_begin_percent smallint,
  soc_end_percent smallint,
  -- The bill as the partner told it last (PartnerOrder), what is wrong with it, and what we answered.
  bill jsonb,
  -- A bill with other figures that came after the charge was paid.
  second_bill jsonb,
  doubts text[] not null default '{}',
  confirm_result integer,
  billed_at timestamptz,
  stop_reason text,
  vin text,
  plate text,
  paid_fen bigint not null default 0,
  gift_paid_fen bigint not null default 0,
  owed_fen bigint not null default 0 constraint roaming_charges_owed check (owed_fen >= 0),
  repayments integer not null default 0,
  -- A person settled it with figures that both operators agreed on.
  user_id bigint constraint roaming_charges_user references users (id),
  reason text,
  -- What the daily comparison of the partner found.
  checked_at timestamptz,
  dispute text,
  constraint roaming_charges_paid check (state <> 'completed' or paid_fen + owed_fen = amount_fen)
);
create index roaming_charges_placed on roaming_charges (placed_at desc, id desc);
create index roaming_charges_of_partner on roaming_charges (partner_id, placed_at desc, id desc);
create index roaming_charges_of_customer on roaming_charges (customer_id, placed_at desc, id desc);
create index roaming_charges_in_state on roaming_charges (state, placed_at desc, id desc);
create index roaming_charges_ended on roaming_charges (partner_id, ended_at) where state in ('completed', 'disputed', 'settling');
create index roaming_charges_poll on roaming_charges (poll_due_at) where poll_due_at is not null;
create index roaming_charges_disputed on roaming_charges (partner_id, placed_at desc, id desc) where dispute is not null;
create index roaming_charges_owing on roaming_charges (customer_id) where owed_fen > 0;

-- Four digits of a StartChargeSeq, different for ten thousand of them in a row.
create sequence roaming_numbers maxvalue 9999 minvalue 0 cycle;

-- What was paid to a partner for charges of our customers; below zero what it gave back.
create table partner_payments (
  id bigint generated always as identity primary key,
  partner_id bigint not null constraint partner_payments_partner references partners (id),
  amount_fen bigint not null constraint partner_payments_amount check (amount_fen <> 0),
  payable_after_fen bigint not null,
  remark text not null,
  user_id bigint constraint partner_payments_user references users (id),
  created_at timestamptz not null
);
create index partner_payments_created on partner_payments (created_at desc, id desc);
create index partner_payments_of_partner on partner_payments (partner_id, created_at desc, id desc);

-- The lists of interconnected orders, and the stations of partners around a place.
create index roaming_charges_site on roaming_charges (site_code, placed_at desc, id desc);
create index roaming_charges_at_port on roaming_charges (port_code, placed_at desc, id desc);
create index roaming_charges_found on roaming_charges (dispute, placed_at desc, id desc) where dispute is not null;
create index partner_charges_sequence_alone on partner_charges (sequence);
create index partner_charges_connector on partner_charges (connector_id, created_at desc, id desc);
create index partner_charges_refused on partner_charges (created_at desc, id desc) where refusal is not null;
create index partner_charges_found on partner_charges (dispute, created_at desc, id desc) where dispute is not null;
create index pulled_sites_place on pulled_sites (latitude, longitude) where missing_at is null;

alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind check (kind in (
  'order_refund', 'order_settlement', 'transfer', 'recharge', 'recharge_refund', 'withdrawal', 'write_off', 'reversal',
  'tariff_default', 'card_cancellation', 'gift', 'gift_deduction', 'agent_recharge', 'customer_merge', 'card_holder',
  'withdrawal_outcome', 'agent_withdrawal', 'agent_withdrawal_return', 'share_correction', 'partner_deposit',
  'partner_payment'));
