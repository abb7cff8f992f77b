import { Segmented } from 'antd';
import { type PhraseKey, phrase } from '../phrases.ts';
import { useAddress } from '../ui/use-address.ts';

type Props<View extends string> = {
  label: PhraseKey;
  view: View;
  /** The first one is that of the bare address. */
  views: readonly { value: View; label: PhraseKey }[];
  /** Parameters that go along to the other views. */
  keeps?: readonly string[];
};

/** Chooses which of a screen's lists is shown; the address names it. */
export function ViewSwitch<View extends string>({ label, view, views, keeps = [] }: Props<View>) {
  const [, setSearch] = useAddress();
  const change = (chosen: View) =>
    setSearch((current) => {
      const next = new URLSearchParams();
      for (const name of keeps) {
        const value = current.get(name);
        if (value !== null) next.set(name, value);
      }
      if (chosen !== views[0]?.value) next.set('view', chosen);
      return next;
    });
  return (
    <Segmented<View>
      aria-label={phrase(label)}
      value={view}
      onChange={change}
      options={views.map(({ value, label: words }) => ({ value, label: phrase(words) }))}
    />
  );
}
