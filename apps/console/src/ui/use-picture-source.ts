import { useEffect, useState } from 'react';
import { fetchPrivateFile } from '../api/private-file.ts';

export type PictureSource = { kind: 'waiting' } | { kind: 'ready'; src: string } | { kind: 'failed' };

/** Addresses below the API need the token header, which an <img> does not send. */
const isPrivate = (address: string) => address.startsWith('/api/');

/** The source of an <img> for a picture's address: the address itself, or the fetched bytes of a private one. */
export function usePictureSource(address: string): PictureSource {
  const [fetched, setFetched] = useState<{ address: string; source: PictureSource } | null>(null);
  useEffect(() => {
    if (!isPrivate(address)) return;
    const stop = new AbortController();
    let made: string | null = null;
    fetchPrivateFile(address, stop.signal).then(
      (bytes) => {
        made = URL.createObjectURL(bytes);
        setFetched({ address, source: { kind: 'ready', src: made } });
      },
      () => {
        if (!stop.signal.aborted) setFetched({ address, source: { kind: 'failed' } });
      },
    );
    return () => {
      stop.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [address]);
  if (!isPrivate(address)) return { kind: 'ready', src: address };
  return fetched?.address === address ? fetched.source : { kind: 'waiting' };
}
