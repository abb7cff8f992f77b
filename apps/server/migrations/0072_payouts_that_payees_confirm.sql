-- WeChat Pay pays a transfer once its payee has confirmed it in the app, which needs what the answer said.
alter table channel_payouts add column awaits_payee boolean not null default false;
alter table channel_payouts add column payee_package text;
alter table channel_payouts add column confirmation_ends_at timestamptz;
alter table channel_payouts add constraint channel_payouts_awaits check (not awaits_payee or state = 'processing');
