import { regionTable } from '@voltdeck/regions/region-table';
import { childrenOf, pathOf, type Region } from '@voltdeck/regions/regions';
import { Cascader } from 'antd';
import { language } from '../../language.ts';

type Option = { value: string; label: string; children?: Option[] };

const nameOf = (region: Region) => (language === 'en' ? region.en : region.zh);

function optionsBelow(code: string | null): Option[] {
  return childrenOf(regionTable, code).map((region) => {
    const children = optionsBelow(region.code);
    return { value: region.code, label: nameOf(region), ...(children.length === 0 ? {} : { children }) };
  });
}

let everyRegion: Option[] | null = null;

type Props = {
  /** Set by the form. */
  id?: string;
  label: string;
  value: string | undefined;
  onChange: (code: string | undefined, name: string) => void;
  /** Forms require the county and have a label above; a filter accepts any level and is its own label. */
  isWhole?: boolean;
  disabled?: boolean;
  /** It was asked for by a click or a key and begins opened. */
  isOpened?: boolean;
};

/** Province, city and county. */
export default function RegionField({ label, value, onChange, isWhole = false, isOpened = false, ...given }: Props) {
  everyRegion ??= optionsBelow(null);
  const path = value === undefined ? [] : pathOf(regionTable, value);
  return (
    <Cascader<Option>
      {...given}
      {...(isWhole ? {} : { 'aria-label': label, prefix: <span className="field-label">{label}</span> })}
      autoFocus={isOpened}
      defaultOpen={isOpened}
      style={{ width: '100%' }}
      options={everyRegion}
      value={path.map((region) => region.code)}
      changeOnSelect={!isWhole}
      showSearch={{ limit: 30 }}
      onChange={(codes, options) => {
        const code = codes?.at(-1);
        onChange(
          code === undefined ? undefined : String(code),
          (options ?? []).map((option) => option.label).join(' / '),
        );
      }}
    />
  );
}
