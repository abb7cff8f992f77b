import { Segmented } from 'antd';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useAddress } from '../ui/use-address.ts';

/** What both views filter by. */
const sharedFilters = ['number', 'cardNumber', 'phone', 'cardId', 'customerId', 'from', 'to'];

/** Switches between all movements, recharges and payments through channels; the filters that they share are kept. */
export function MovementViews({ view }: { view: 'all' | 'recharges' | 'channels' }) {
  const [, setSearch] = useAddress();
  const can = useCan();
  const change = (chosen: string) =>
    setSearch((current) => {
      const next = new URLSearchParams([...current].filter(([name]) => sharedFilters.includes(name)));
      if (chosen !== 'all') next.set('view', chosen);
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
        ...(can('ledger.read') ? [{ value: 'channels', label: phrase('movements.channels') }] : []),
      ]}
    />
  );
}
