import { indexSites, type SiteIndex } from './site-map-clusters.ts';
import type { SiteMark, SitePositions } from './site-map-places.ts';

/** What the worker of the map is asked; questions are answered in order, each about the latest positions. */
export type MapQuestion =
  | { kind: 'positions'; positions: SitePositions }
  | { kind: 'marks'; question: number; bounds: Parameters<SiteIndex>[0]; zoom: number };
export type MapAnswer = { question: number; marks: SiteMark[] };

let index: SiteIndex | null = null;

self.addEventListener('message', ({ data }: MessageEvent<MapQuestion>) => {
  if (data.kind === 'positions') {
    index = indexSites(data.positions);
    return;
  }
  const answer: MapAnswer = { question: data.question, marks: index?.(data.bounds, data.zoom) ?? [] };
  self.postMessage(answer);
});
