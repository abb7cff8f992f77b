import type { PartnerPortState, PartnerSite } from '@voltdeck/charging/partner-site';
import { toWgs84 } from '@voltdeck/regions/datum';
import type { PartnerId, PartnerPullId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Trx } from '../../database/transact.ts';

/** What a pull found of one site. */
export type PullChange = { change: 'added' | 'changed' | 'missing' | 'left_out'; code: string; name: string };

export type Written = { added: number; changed: number; changes: PullChange[] };

/** Writes sites as a partner tells them now. Stations and gun ports that it no longer tells of are removed. */
export async function writePulledSites(
  trx: Trx,
  partnerId: PartnerId,
  sites: readonly PartnerSite[],
  at: Instant,
): Promise<Written> {
  const rows = sites.map((site) => {
    const told = { longitude: site.longitudeE6 / 1e6, latitude: site.latitudeE6 / 1e6 };
    const { longitude, latitude } = toWgs84(told, 'gcj02');
    return { ...site, longitude, latitude, told: site };
  });
  const { rows: written } = await sql<{
    id: number;
    code: string;
    name: string;
    isNew: boolean;
    isChanged: boolean;
    isBack: boolean;
  }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
        id text, "operatorCode" text, "ownerCode" text, name text, "regionCode" text, address text,
        longitude double precision, latitude double precision, kind text, place text, state text, "servicePhone" text,
        "sitePhone" text, told jsonb)),
    before as (select code, told, missing_at from pulled_sites where partner_id = ${partnerId} and code in (select id from given)),
    put as (
      insert into pulled_sites as s (partner_id, code, operator_code, owner_code, name, region_code, address, longitude,
                                     latitude, kind, place, state, service_phone, site_phone, told, added_at,
                                     changed_at, seen_at)
      select ${partnerId}, id, "operatorCode", "ownerCode", name, "regionCode", address, longitude, latitude, kind, place,
             state, "servicePhone", "sitePhone", told, to_timestamp(${at} / 1000.0), to_timestamp(${at} / 1000.0),
             to_timestamp(${at} / 1000.0)
        from given
      on conflict (partner_id, code) do update
         set operator_code = excluded.operator_code, owner_code = excluded.owner_code, name = excluded.name,
             region_code = excluded.region_code, address = excluded.address, longitude = excluded.longitude,
             latitude = excluded.latitude, kind = excluded.kind, place = excluded.place, state = excluded.state,
             service_phone = excluded.service_phone, site_phone = excluded.site_phone, told = excluded.told,
             changed_at = case when s.told = excluded.told then s.changed_at else excluded.changed_at end,
             seen_at = greatest(s.seen_at, excluded.seen_at), missing_at = null
      returning s.id, s.code)
    select put.id, put.code, given.name, before.code is null as "isNew", before.told is distinct from given.told as "isChanged",
           before.missing_at is not null as "isBack"
      from put join given on given.id = put.code left join before on before.code = put.code`.execute(trx);
  const changed = written.filter(({ isChanged }) => isChanged);
  const idOf = new Map(changed.map(({ id, code }) => [code, id]));
  await writeStations(
    trx,
    partnerId,
    sites.filter(({ id }) => idOf.has(id)).map((site) => ({ siteId: idOf.get(site.id) ?? 0, site })),
    at,
  );
  const changes = written
    .filter(({ isChanged, isBack }) => isChanged || isBack)
    .map(({ code, name, isNew }): PullChange => ({ change: isNew ? 'added' : 'changed', code, name }));
  const added = written.filter(({ isNew }) => isNew).length;
  return { added, changed: changes.length - added, changes };
}

/** Notes that sites are still there of which the operator told what cannot be read: what was known of them stays. */
export async function noteListed(
  trx: Trx,
  partnerId: PartnerId,
  siteCodes: readonly string[],
  at: Instant,
): Promise<void> {
  if (siteCodes.length === 0) return;
  await sql`
    update pulled_sites set seen_at = greatest(seen_at, to_timestamp(${at} / 1000.0))
     where partner_id = ${partnerId} and code = any(${siteCodes}::text[])`.execute(trx);
}

/** Notes the sites that a full pull no longer found. @returns how many; the first `keptMax` are kept with the pull. */
export async function noteMissing(
  trx: Trx,
  { partnerId, pullId, keptMax }: { partnerId: PartnerId; pullId: PartnerPullId; keptMax: number },
  at: Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      update pulled_sites set missing_at = to_timestamp(${at} / 1000.0)
       where partner_id = ${partnerId} and missing_at is null and seen_at < to_timestamp(${at} / 1000.0)
      returning code, name),
    kept as (
      insert into partner_pull_changes (pull_id, change, code, name)
      select ${pullId}, 'missing', code, name from gone order by code limit ${keptMax})
    select count(*)::integer as count from gone`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Keeps what a pull found. */
export async function keepChanges(trx: Trx, pullId: PartnerPullId, changes: readonly PullChange[]): Promise<void> {
  if (changes.length === 0) return;
  await trx
    .insertInto('partner_pull_changes')
    .values(changes.map((change) => ({ pull_id: pullId, ...change })))
    .execute();
}

async function writeStations(
  trx: Trx,
  partnerId: PartnerId,
  sites: readonly { siteId: number; site: PartnerSite }[],
  at: Instant,
): Promise<void> {
  if (sites.length === 0) return;
  const stations = sites.flatMap(({ siteId, site }) => site.stations.map((station) => ({ ...station, siteId })));
  const siteIds = sites.map(({ siteId }) => siteId);
  const { rows } = await sql<{ id: number; siteId: number; code: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb) as g (
        "siteId" bigint, id text, name text, manufacturer text, "manufacturerCode" text, model text, "producedOn" date,
        "powerW" integer)),
    gone as (
      delete from pulled_stations s where s.site_id = any(${siteIds}::bigint[])
         and not exists (select from given where given."siteId" = s.site_id and given.id = s.code))
    insert into pulled_stations (site_id, partner_id, code, name, manufacturer, manufacturer_code, model, produced_on,
                                 power_w, added_at)
    select "siteId", ${partnerId}, id, name, manufacturer, "manufacturerCode", model, "producedOn", "powerW",
           to_timestamp(${at} / 1000.0) from given
    on conflict (site_id, code) do update
       set name = excluded.name, manufacturer = excluded.manufacturer, manufacturer_code = excluded.manufacturer_code,
           model = excluded.model, produced_on = excluded.produced_on, power_w = excluded.power_w
    returning id, site_id as "siteId", code`.execute(trx);
  const stationIdOf = new Map(rows.map(({ id, siteId, code }) => [`${siteId} ${code}`, id]));
  const ports = stations.flatMap(({ siteId, id, ports: each }) =>
    each.map((port) => ({ ...port, stationId: stationIdOf.get(`${siteId} ${id}`) })),
  );
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(ports)}::jsonb) as g (
        "stationId" bigint, id text, name text, kind text, "nationalStandard" text, "voltageMinV" integer,
        "voltageMaxV" integer, "currentA" integer, "powerW" integer, "bayNumber" text)),
    gone as (
      delete from pulled_ports p using pulled_stations s
       where s.id = p.station_id and s.site_id = any(${siteIds}::bigint[])
         and not exists (select from given where given.id = p.code))
    insert into pulled_ports (station_id, partner_id, code, name, kind, national_standard, voltage_min_v, voltage_max_v,
                              current_a, power_w, bay_number, added_at)
    select "stationId", ${partnerId}, id, name, kind, "nationalStandard", "voltageMinV", "voltageMaxV", "currentA",
           "powerW", "bayNumber", to_timestamp(${at} / 1000.0) from given
    on conflict (partner_id, code) do update
       set station_id = excluded.station_id, name = excluded.name, kind = excluded.kind,
           national_standard = excluded.national_standard, voltage_min_v = excluded.voltage_min_v,
           voltage_max_v = excluded.voltage_max_v, current_a = excluded.current_a, power_w = excluded.power_w,
           bay_number = excluded.bay_number`.execute(trx);
}

/**
 * Writes what gun ports of a partner are doing. Ports that it never showed are left out; what is older than what is
 * known is, too. @returns how many were known.
 */
export async function writePulledStates(
  trx: Trx,
  partnerId: PartnerId,
  states: readonly PartnerPortState[],
  at: Instant,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update pulled_ports p
       set state = given.state, bay = given.bay, lock = given.lock, state_at = to_timestamp(${at} / 1000.0)
      from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as given ("portId" text, state text, bay text, lock text)
     where p.partner_id = ${partnerId} and p.code = given."portId"
       and (p.state_at is null or p.state_at <= to_timestamp(${at} / 1000.0))`.execute(trx);
  return Number(numAffectedRows);
}
