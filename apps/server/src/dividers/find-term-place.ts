import type { DividedPlace } from '@voltdeck/ledger/divider-room';
import type { AgentId, SiteId, StationId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import { withAgentsBelow } from '../caller/agents-below.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';

export type NamedPlace = { place: DividedPlace; name: string | null };

/**
 * A place where a holder's dividers may share: one of its own or of the agents below it that the caller sees; for the
 * platform's dividers any. Null where there is none. A site belongs to whoever has it or a station there.
 */
export async function findTermPlace(
  db: Kysely<Tables>,
  caller: Caller,
  holder: AgentId | null,
  { siteId, stationId }: { siteId: SiteId | null; stationId: StationId | null },
  /** Whether it is kept from being deleted until the transaction ends. */
  { isLocked }: { isLocked: boolean },
): Promise<NamedPlace | null> {
  if (stationId === null && siteId === null) return { place: { kind: 'everywhere' }, name: null };
  const { rows } = await sql<{ name: string; siteId: SiteId; agents: (AgentId | null)[] }>`
    ${
      stationId === null
        ? sql`select s.name, s.id as "siteId",
                   array(select s.agent_id union select agent_id from stations where site_id = s.id) as agents
              from sites s where s.id = ${siteId}`
        : sql`select s.name, s.site_id as "siteId", array[s.agent_id] as agents from stations s where s.id = ${stationId}`
    }
    ${isLocked ? sql`for key share of s` : sql``}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const below = holder === null ? null : await treeOf(db, holder);
  const isThere = found.agents.some(
    (agent) => isInScope(caller, agent) && (below === null || (agent !== null && below.has(agent))),
  );
  if (!isThere) return null;
  const place: DividedPlace =
    stationId === null ? { kind: 'site', siteId: found.siteId } : { kind: 'station', stationId, siteId: found.siteId };
  return { place, name: found.name };
}

/** The agent and everybody below it. */
async function treeOf(db: Kysely<Tables>, id: AgentId): Promise<ReadonlySet<AgentId>> {
  const { rows } = await sql<{ id: AgentId }>`${withAgentsBelow(id)}`.execute(db);
  return new Set(rows.map((agent) => agent.id));
}
