import { type ConnectorGroup, connectorGroupOf, connectorGroups, connectorStates } from '@voltdeck/charging/states';
import { type RawBuilder, sql } from 'kysely';

/** How many ports are in each group. */
export type PortTally = Record<ConnectorGroup, number>;

/** For `connectors` joined to `stations`. A port of an unconnected station is offline, whatever it reported last. */
function countOf(group: ConnectorGroup): RawBuilder<number> {
  const states = sql.join(
    connectorStates.filter((state) => connectorGroupOf[state] === group).map((state) => sql.lit(state)),
  );
  return group === 'offline'
    ? sql`count(connectors.id) filter (where not stations.online or connectors.state in (${states}))`
    : sql`count(connectors.id) filter (where stations.online and connectors.state in (${states}))`;
}

/** A column for each group. */
export const portCounts = connectorGroups.map((group) => countOf(group).as(group));

/** The groups as one JSON object. */
export const portTally: RawBuilder<PortTally> = sql`jsonb_build_object(${sql.join(
  connectorGroups.flatMap((group) => [sql.lit(group), countOf(group)]),
)})`;

export function addTally(sum: PortTally, more: Readonly<PortTally>): void {
  for (const group of connectorGroups) sum[group] += more[group];
}
