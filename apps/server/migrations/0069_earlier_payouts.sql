-- Every payout of a withdrawal, so that its earlier ones are asked about before it is paid in another way.
alter table channel_payouts add column withdrawal_id bigint references withdrawals (id);
update channel_payouts p set withdrawal_id = w.id from withdrawals w where w.number = p.remark or w.payout_id = p.id;
-- A payout that was refused is begun again under its number.
alter table channel_payouts add column begun_at timestamptz;
update channel_payouts set begun_at = created_at;
alter table channel_payouts alter column begun_at set not null;
create index channel_payouts_withdrawal on channel_payouts (withdrawal_id, id) where withdrawal_id is not null;

-- Why a person has to look at a withdrawal that is over: a second payment of it left, or its payment came back.
alter table withdrawals add column attention text
  constraint withdrawals_attention check (attention in ('paid_twice', 'sent_back'));
update withdrawals w
   set attention = case p.result_code when 'FAILED_AFTER_DONE' then 'sent_back' else 'paid_twice' end
  from channel_payouts p
 where p.withdrawal_id = w.id
   and ((p.result_code = 'FAILED_AFTER_DONE' and w.state = 'withdrawn')
     or (p.result_code = 'DONE_AFTER_FAILED' and not (w.state = 'failed' and w.frozen)));
create index withdrawals_needs_person on withdrawals (applied_at desc, id desc) where attention is not null;
