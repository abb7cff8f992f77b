-- One search finds every record: people read out the end of a number, as they do that of an order (0023).
create index recharges_number_end on recharges (reverse(number));
create index recharge_refunds_number_end on recharge_refunds (reverse(number));
create index order_refunds_number_end on order_refunds (reverse(number));
create index withdrawals_number_end on withdrawals (reverse(number));
create index agent_withdrawals_number_end on agent_withdrawals (reverse(number));
create index channel_payments_number_end on channel_payments (reverse(number));
create index channel_payments_third_party_any on channel_payments (third_party_number)
  where third_party_number is not null;
create index wallet_transfers_number_end on wallet_transfers (reverse(number));
create index wallet_gifts_number_end on wallet_gifts (reverse(number));
create index invoices_number_end on invoices (reverse(number));
create index invoices_invoice_number_end on invoices (reverse(invoice_number)) where invoice_number is not null;
create index partner_charges_sequence_end on partner_charges (reverse(sequence));
create index roaming_charges_sequence_end on roaming_charges (reverse(sequence));
create index vehicles_vin_end on vehicles (reverse(vin));
create index vehicles_plate_end on vehicles (reverse(plate)) where plate is not null;
create index groups_contact_phone on groups (contact_phone);
create index groups_contact_phone_end on groups (reverse(contact_phone));
create index groups_card_number_end on groups (reverse(card_number));
create index group_members_phone_end on group_members (reverse(phone));

-- Names are found by the pieces of their middle.
create index sites_address_pieces on sites using gin (text_pieces(address, 2));
create index groups_name_pieces on groups using gin (text_pieces(name, 2));
create index group_members_name_pieces on group_members using gin (text_pieces(name, 2));
create index invoices_title_pieces on invoices using gin (text_pieces(title, 2));
