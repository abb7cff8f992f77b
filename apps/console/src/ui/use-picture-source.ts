import { useEffect, useState } from 'react';
import { fetchPrivateFile } from '../api/private-file.ts';

export type PictureSource = { kind: 'waiting' } | { kind: 'ready'; src: string } | { kind: 'failed' };

/** Below the API an address wants the token header, which an element's own request does not carry. */
const isPrivate = (address: string) => address.startsWith('/api/');

/** What an `img` may show for the address of a picture: itself, or for a private one what was fetched from it. */
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
