import { useQueryClient } from '@tanstack/react-query';
import { siteMapState } from '@voltdeck/charging/site-map-state';
import { listSitePlaces, listSiteStates, type SitePlaces, summaryKeptMs } from '@voltdeck/contract/overview';
import { instant } from '@voltdeck/units/instant';
import { useEffect, useMemo, useState } from 'react';
import { useConsoleEvents } from '../api/events.ts';
import { fetchAgain } from '../api/fetch-again.ts';
import { usePaced } from '../api/paced.ts';
import { keyOf, useAnswer } from '../api/queries.ts';
import type { SiteOnMap } from './site-map-states.ts';
import { useReceivedAt } from './use-received-at.ts';

/** Minimum interval between fetches of all states. */
const refetchGapMs = 10_000;

/**
 * All sites for the map. Their places are fetched once; after an event only the states of their ports, and the places
 * again when one of them changed. With `everyMs`, the states are fetched in any case, so that their age is bounded.
 */
export function useMapSites({ quiet = false, everyMs = null }: { quiet?: boolean; everyMs?: number | null } = {}) {
  const client = useQueryClient();
  const [openedAtMs] = useState(() => performance.now());
  // The states tell when the places are outdated.
  const places = useAnswer(listSitePlaces, { quiet }, { keepPrevious: true, staleMs: Number.POSITIVE_INFINITY });
  const [moved, setMoved] = useState(false);
  const placesAtMs = useReceivedAt(places.dataUpdatedAt);
  const isFromEarlier = places.data !== undefined && placesAtMs < openedAtMs;
  const states = useAnswer(
    listSiteStates,
    { quiet: true },
    {
      enabled: moved || isFromEarlier || everyMs !== null,
      keepPrevious: true,
      ...(everyMs === null ? {} : { everyMs: () => everyMs }),
    },
  );
  const ask = () => {
    if (moved) void fetchAgain(client, keyOf(listSiteStates, {}));
    else setMoved(true);
  };
  const askAgain = usePaced(ask, refetchGapMs, summaryKeptMs);
  useConsoleEvents('connector-changed', askAgain);
  useConsoleEvents('station-changed', askAgain);

  const statesAtMs = useReceivedAt(states.dataUpdatedAt);
  const areStatesNewer = states.data !== undefined && statesAtMs > placesAtMs;
  const isOutdated = areStatesNewer && states.data.revision !== places.data?.revision;
  const { refetch } = places;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);

  const isOfStates = areStatesNewer && !isOutdated;
  const ports = isOfStates ? states.data.ports : places.data?.ports;
  const known = places.data;
  const sites = useMemo(
    () => (known === undefined || ports === undefined ? undefined : sitesOf(known, ports)),
    [known, ports],
  );
  const updatedAt = isOfStates ? states.dataUpdatedAt : places.dataUpdatedAt;
  return {
    sites,
    /** When the states came, by the page's own clock and by the machine's. */
    receivedAtMs: isOfStates ? statesAtMs : placesAtMs,
    receivedAt: updatedAt === 0 ? null : instant(updatedAt),
    failure: places.error,
    retry: () => void refetch(),
  };
}

/** The sites of the columns, with the states that their ports have now. */
export function sitesOf(places: SitePlaces, ports: readonly number[]): SiteOnMap[] {
  return places.ids.map((id, index) => {
    const countAt = (group: number) => ports[index * 4 + group] ?? 0;
    const connectors = { free: countAt(0), occupied: countAt(1), fault: countAt(2), offline: countAt(3) };
    return {
      id,
      name: places.names[index] ?? '',
      longitude: places.longitudes[index] ?? 0,
      latitude: places.latitudes[index] ?? 0,
      regionCode: places.regionCodes[index] ?? '',
      state: siteMapState(connectors),
      connectors,
      freeCount: connectors.free,
      connectorCount: connectors.free + connectors.occupied + connectors.fault + connectors.offline,
    };
  });
}
