import { createContext, useContext, useEffect } from 'react';
import type { PicturedChart } from '../ui/chart-picture.ts';

/** The charts of the page that have something to show, by their place on it. */
export type PictureAlbum = Map<number, PicturedChart>;

export const PictureAlbumContext = createContext<PictureAlbum | null>(null);

/** Puts a chart into the picture of the whole page while it is shown. */
export function useInAlbum(place: number, chart: PicturedChart | null): void {
  const album = useContext(PictureAlbumContext);
  useEffect(() => {
    if (album === null || chart === null) return;
    album.set(place, chart);
    return () => void album.delete(place);
  }, [album, place, chart]);
}
