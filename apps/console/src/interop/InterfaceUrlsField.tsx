import { partnerInterfaces } from '@voltdeck/contract/partner-interfaces';
import { Input } from 'antd';
import { RowsField } from '../ui/form/RowsField.tsx';

type Urls = Readonly<Record<string, string>>;

type Props = {
  /** Set by the form. */
  id?: string;
  value?: Urls | undefined;
  onChange?: (urls: Urls) => void;
};

const choices = partnerInterfaces.map((name) => ({ value: name as string, label: name }));

/** The interfaces that a partner has elsewhere, each once, with its whole address. */
export function InterfaceUrlsField({ id, value = {}, onChange }: Props) {
  const rows = Object.entries(value);
  return (
    <RowsField
      id={id}
      keys={rows.map(([name]) => name)}
      choices={choices}
      pathOf={(name) => [name]}
      control={(_, label) => <Input aria-label={label} />}
      words={{
        choice: 'interop.interfaceName',
        value: 'interop.interfaceUrl',
        remove: 'interop.interfaceRemove',
        add: 'interop.interfaceAdd',
      }}
      onAdd={(name) => onChange?.({ ...value, [name]: '' })}
      onChoose={(index, name) => onChange?.(Object.fromEntries(rows.with(index, [name, rows[index]?.[1] ?? ''])))}
      onRemove={(index) => onChange?.(Object.fromEntries(rows.toSpliced(index, 1)))}
    />
  );
}
