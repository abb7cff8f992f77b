-- Tries of a code from other networks than the one that asked for it, so that a stranger's do not use up its owner's.
alter table sms_codes
  add column attempts_elsewhere integer not null default 0;
