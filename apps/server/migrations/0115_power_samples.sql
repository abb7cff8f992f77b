-- How much power the charges of an agent drew, every five minutes (overview/sample-power.ts). The rows of the platform
-- itself (no agent) are there for every look, of both kinds, so that a look that found nothing differs from none.
create table power_samples (
  at timestamptz not null,
  agent_id bigint,
  equipment_type text not null
    constraint power_samples_equipment_type check (equipment_type in ('two-wheel', 'four-wheel')),
  charging integer not null,
  power_w bigint not null,
  constraint power_samples_one unique nulls not distinct (at, agent_id, equipment_type)
);
