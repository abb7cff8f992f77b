-- Who set a payout account, when, and which account it replaced. Whoever did so neither passes nor pays a withdrawal to it.
create table payout_account_changes (
  id bigint generated always as identity primary key,
  agent_id bigint constraint payout_account_changes_agent references agents (id) on delete cascade,
  divider_id bigint constraint payout_account_changes_divider references dividers (id) on delete cascade,
  holder_before text,
  bank_before text,
  number_before text,
  holder text,
  bank text,
  number text,
  changed_by bigint not null constraint payout_account_changes_user references users (id),
  changed_at timestamptz not null,
  constraint payout_account_changes_owner check ((agent_id is null) <> (divider_id is null))
);
create index payout_account_changes_of_agent on payout_account_changes (agent_id, id) where agent_id is not null;
create index payout_account_changes_of_divider on payout_account_changes (divider_id, id) where divider_id is not null;

-- Dividers are paid where agents are: to an account of their own.
alter table dividers
  add column payout_kind text constraint dividers_payout_kind check (payout_kind in ('private', 'corporate')),
  add column payout_holder text,
  add column payout_bank text,
  add column payout_branch text,
  add column payout_bank_code text,
  add column payout_number text,
  add constraint dividers_payout_whole check (
    num_nonnulls(payout_kind, payout_holder, payout_bank, payout_number) in (0, 4)
    and (payout_kind is not null or (payout_branch is null and payout_bank_code is null)));

-- What is passed for one party within a day counts together, whoever passes it.
create index unapproved_acts_of_subject on unapproved_acts (kind, subject_kind, subject_id, at);

-- Who froze the present ones is not known: the platform lifts them.
alter table agents add column frozen_by_platform boolean not null default false;
update agents set frozen_by_platform = true where frozen_at is not null;
alter table agents add constraint agents_frozen_by_platform check (not frozen_by_platform or frozen_at is not null);

-- An agent follows its own withdrawals and those of its dividers, whose holder never changes.
alter table agent_withdrawals add column holder_id bigint constraint agent_withdrawals_holder references agents (id);
update agent_withdrawals w
   set holder_id = coalesce(w.agent_id, (select d.agent_id from dividers d where d.id = w.divider_id));
alter table agent_withdrawals
  add constraint agent_withdrawals_own_holder check (agent_id is null or holder_id is not distinct from agent_id);
create index agent_withdrawals_of_holder on agent_withdrawals (holder_id, applied_at desc, id desc)
  where holder_id is not null;
create index agent_withdrawals_of_party on agent_withdrawals (party, applied_at desc, id desc);

-- One bank receipt proves one payment.
create index agent_withdrawals_receipt on agent_withdrawals (lower(receipt)) where receipt is not null;

-- Agents and dividers set where they are paid, and dividers withdraw as agents do.
update positions set menu_codes = array_append(menu_codes, 'agent_withdrawal.account')
 where name_key in ('position.platform', 'position.agent') and not 'agent_withdrawal.account' = any (menu_codes);
update positions set menu_codes = menu_codes || array(
    select code from unnest('{tixianRecods,agent_withdrawal.create,agent_withdrawal.account}'::text[]) as code
     where not code = any (menu_codes))
 where name_key = 'position.divider';

-- The accounts of dividers stand apart from those of staff.
alter table users drop constraint users_kind_check;
alter table users add constraint users_kind_check check (kind in ('added', 'registered', 'divider'));
update users set kind = 'divider' where divider_id is not null;
alter table users add constraint users_kind_of_divider check ((kind = 'divider') = (divider_id is not null));
create index users_of_kind on users (kind, created_at desc, id desc);
