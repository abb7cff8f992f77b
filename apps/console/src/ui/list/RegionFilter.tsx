import { Select } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../api/lazy-part.ts';

const load = () => import('./RegionField.tsx');
const RegionField = lazyPart(load);

type Props = {
  label: string;
  value: string | undefined;
  onChange: (code: string | undefined, name: string) => void;
};

/** Stands in for the choice of a region until it is wanted: the table of all regions is heavier than a list page. */
export function RegionFilter(props: Props) {
  const [isWanted, setWanted] = useState(false);
  const { label, value } = props;
  const standIn = (
    <Select
      aria-label={label}
      style={{ width: '100%' }}
      prefix={<span className="field-label">{label}</span>}
      open={false}
      onMouseEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => {
        if (key !== 'Tab' && key !== 'Shift') setWanted(true);
      }}
    />
  );
  if (!isWanted && value === undefined) return standIn;
  return (
    <Suspense fallback={standIn}>
      <RegionField {...props} isOpened={isWanted} />
    </Suspense>
  );
}
