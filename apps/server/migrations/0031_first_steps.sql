-- Whoever put the list of first steps away does not get it again until they ask for it.
alter table users add column first_steps_hidden boolean not null default false;
