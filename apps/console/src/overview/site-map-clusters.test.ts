import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexSites } from './site-map-clusters.ts';
import { clusterZoomMax, haveSamePlaces } from './site-map-places.ts';

const siteAt = (id: number, longitude: number, latitude: number) => ({ id, longitude, latitude });
type Site = ReturnType<typeof siteAt>;

const indexOf = (sites: readonly Site[]) =>
  indexSites({
    ids: sites.map(({ id }) => id),
    longitudes: sites.map(({ longitude }) => longitude),
    latitudes: sites.map(({ latitude }) => latitude),
  });

const china = { west: 70, south: 3, east: 140, north: 55 };

const anySites = fc
  .array(fc.tuple(fc.double({ min: 74, max: 134, noNaN: true }), fc.double({ min: 18, max: 53, noNaN: true })), {
    maxLength: 300,
  })
  .map((points) => points.map(([longitude, latitude], index) => siteAt(index + 1, longitude, latitude)));

describe('marks', () => {
  test('map marks together hold every site in view exactly once, at any zoom', () => {
    fc.assert(
      fc.property(anySites, fc.double({ min: 0, max: 18, noNaN: true }), (sites, zoom) => {
        const marks = indexOf(sites)(china, zoom);
        const held = marks.flatMap((mark) => (mark.kind === 'cluster' ? mark.indexes : [mark.index]));
        expect(held.toSorted((one, other) => one - other)).toEqual(sites.map((_, index) => index));
      }),
    );
  });

  test('map marks are separate above the last cluster zoom, even on one spot', () => {
    const sites = [siteAt(1, 120, 30), siteAt(2, 120, 30)];
    const marks = indexOf(sites)(china, clusterZoomMax + 1);
    expect(marks.map(({ kind }) => kind)).toEqual(['site', 'site']);
  });

  test('map marks keep their key while their site stays in place', () => {
    const keys = (zoom: number) => indexOf([siteAt(7, 120, 30)])(china, zoom).map(({ key }) => key);
    expect(keys(3)).toEqual(['s7']);
    expect(keys(12.75)).toEqual(['s7']);
  });

  test('map marks outside the view are left out', () => {
    const index = indexOf([siteAt(1, 120, 30), siteAt(2, 87, 43)]);
    const marks = index({ west: 119, south: 29, east: 121, north: 31 }, 10);
    expect(marks).toMatchObject([{ kind: 'site', key: 's1', index: 0 }]);
  });
});

describe('a cluster', () => {
  const clusterOf = (sites: Site[]) => {
    const index = indexOf(sites);
    const cluster = index(china, 3).find((mark) => mark.kind === 'cluster');
    if (cluster?.kind !== 'cluster') throw new Error('no cluster');
    return { index, cluster };
  };

  test('a map cluster splits at the zoom it names', () => {
    const { index, cluster } = clusterOf([siteAt(1, 120, 30), siteAt(2, 120.1, 30)]);
    const zoom = cluster.splitZoom;
    expect(index(china, zoom - 1)).toHaveLength(1);
    expect(index(china, zoom)).toHaveLength(2);
  });

  test('no zoom separates a map cluster on one spot', () => {
    const { cluster } = clusterOf([siteAt(1, 120, 30), siteAt(2, 120, 30)]);
    expect(cluster.splitZoom).toBeGreaterThan(clusterZoomMax);
  });
});

test('a map index serves another list only when the same sites are at the same places', () => {
  const sites = [siteAt(1, 120, 30), siteAt(2, 121, 31)];
  const moved = [siteAt(1, 120, 30), siteAt(2, 121, 31.5)];
  expect(
    haveSamePlaces(
      sites,
      sites.map((site) => ({ ...site })),
    ),
  ).toBe(true);
  expect(haveSamePlaces(sites, moved)).toBe(false);
  expect(haveSamePlaces(sites, sites.toReversed())).toBe(false);
  expect(haveSamePlaces(sites, sites.slice(1))).toBe(false);
});
