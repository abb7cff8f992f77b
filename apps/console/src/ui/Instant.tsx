import { instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { useEffect, useState } from 'react';
import { nothingText } from './figures.ts';
import { instantText, textChangesInMs } from './instants.ts';

/**
 * An ISO instant: relative while recent, with the exact time in Asia/Shanghai on hover; `exact` always shows the
 * latter.
 */
export function Instant({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const parsed = at === null || at === undefined ? null : parseIso(at);
  const [now, setNow] = useState(() => instant(Date.now()));
  useEffect(() => {
    if (parsed === null || exact) return;
    const timer = setTimeout(() => setNow(instant(Date.now())), textChangesInMs(parsed, now));
    return () => clearTimeout(timer);
  }, [parsed, exact, now]);
  if (parsed === null) return <>{nothingText}</>;
  const full = shanghaiDateTime(parsed);
  return (
    <time className="figure" dateTime={at ?? undefined} title={full}>
      {exact ? full : instantText(parsed, now)}
    </time>
  );
}
