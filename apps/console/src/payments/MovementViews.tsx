import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';

/** What both views filter by. */
const sharedFilters = ['number', 'cardNumber', 'phone', 'cardId', 'customerId', 'from', 'to'];

/** Switches between all movements and recharges only; the filters that both have are kept. */
export function MovementViews({ view }: { view: 'all' | 'recharges' }) {
  const [, setSearch] = useSearchParams();
  const change = (chosen: string) =>
    setSearch((current) => {
      const next = new URLSearchParams([...current].filter(([name]) => sharedFilters.includes(name)));
      if (chosen === 'recharges') next.set('view', chosen);
      return next;
    });
  return (
    <Segmented
      aria-label={phrase('movements.view')}
      value={view}
      onChange={change}
      options={[
        { value: 'all', label: phrase('movements.all') },
        { value: 'recharges', label: phrase('movements.recharges') },
      ]}
    />
  );
}
