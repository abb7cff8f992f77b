import type { SiteIndex } from './site-map-clusters.ts';
import type { SiteMark, SitePositions } from './site-map-places.ts';
import type { MapAnswer, MapQuestion } from './site-map-worker.ts';

/** The marks of a view, computed beside the page: an index of twenty thousand sites takes a fifth of a second. */
export interface AskedIndex {
  marksIn(...view: Parameters<SiteIndex>): Promise<SiteMark[]>;
  /** Positions for the following questions. */
  place(positions: SitePositions): void;
  end(): void;
}

/** An index in a worker, or in the page where the browser lets no worker start. */
export function openSiteIndex(): AskedIndex {
  const waiting = new Map<number, { view: Parameters<SiteIndex>; resolve: (marks: SiteMark[]) => void }>();
  let positions: SitePositions | null = null;
  let asked = 0;
  let here: Promise<SiteIndex> | null = null;
  const indexHere = (): Promise<SiteIndex> =>
    import('./site-map-clusters.ts').then(({ indexSites }) =>
      indexSites(positions ?? { ids: [], longitudes: [], latitudes: [] }),
    );
  const goOnHere = (): void => {
    here ??= indexHere();
    for (const [question, { view, resolve }] of waiting) {
      waiting.delete(question);
      void here.then((index) => resolve(index(...view)));
    }
  };
  const worker = startWorker();
  worker?.addEventListener('message', ({ data }: MessageEvent<MapAnswer>) => {
    waiting.get(data.question)?.resolve(data.marks);
    waiting.delete(data.question);
  });
  worker?.addEventListener('error', (trouble) => {
    console.warn('the worker of the map', trouble.message);
    worker.terminate();
    goOnHere();
  });
  const tell = (question: MapQuestion) => worker?.postMessage(question);
  return {
    place(given) {
      positions = given;
      if (here === null && worker !== null) tell({ kind: 'positions', positions: given });
      else here = indexHere();
    },
    marksIn(bounds, zoom) {
      asked += 1;
      const question = asked;
      return new Promise((resolve) => {
        waiting.set(question, { view: [bounds, zoom], resolve });
        if (here === null && worker !== null) tell({ kind: 'marks', question, bounds, zoom });
        else goOnHere();
      });
    },
    end() {
      worker?.terminate();
      waiting.clear();
    },
  };
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL('./site-map-worker.ts', import.meta.url), { type: 'module' });
  } catch (trouble) {
    console.warn('the worker of the map', trouble);
    return null;
  }
}
