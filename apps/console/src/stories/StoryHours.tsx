import { hourMs, instant, toIso } from '@voltdeck/units/instant';
import { Select } from 'antd';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { useAddress } from '../ui/use-address.ts';

const hoursOfDay = 24;

/** How far back a story goes, as the address says; the first of those offered is left to the server. */
export function useStoryHours(offered: readonly number[]): { hours: number; period: { from?: string } } {
  const [search] = useSearchParams();
  const usual = offered[0] ?? hoursOfDay;
  const asked = Number(search.get('hours') ?? usual);
  const hours = offered.includes(asked) ? asked : usual;
  // Once per choice: a question that moved with the clock would never be answered from what is known.
  const period = useMemo(
    () => (hours === usual ? {} : { from: toIso(instant(Date.now() - hours * hourMs)) }),
    [hours, usual],
  );
  return { hours, period };
}

export function StoryHours({ offered, hours }: { offered: readonly number[]; hours: number }) {
  const [, setSearch] = useAddress();
  const ordered = [...offered].sort((a, b) => a - b);
  return (
    <Select
      aria-label={phrase('stories.choosePeriod')}
      value={hours}
      popupMatchSelectWidth={false}
      options={ordered.map((value) => ({ value, label: hoursWord(value) }))}
      onChange={(chosen) =>
        setSearch(
          (current) => {
            const next = new URLSearchParams(current);
            next.set('hours', String(chosen));
            return next;
          },
          { replace: true },
        )
      }
    />
  );
}

function hoursWord(hours: number): string {
  return hours > hoursOfDay
    ? phrase('stories.lastDays', { count: hours / hoursOfDay })
    : phrase('stories.lastHours', { count: hours });
}
