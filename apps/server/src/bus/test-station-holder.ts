import type { Bus, StationHolder } from './bus.ts';

/** Plays the node that holds a station's socket. Returns a function that ends it. */
export function playHolder(bus: Bus, stationNumber: string, command: StationHolder['command']): () => void {
  const holder = { command, setPort: () => undefined };
  bus.holdStation(stationNumber, holder);
  return () => bus.releaseStation(stationNumber, holder);
}
