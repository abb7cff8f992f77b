import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { partnerInterfaces } from '@voltdeck/contract/partner-interfaces';
import { Button, Input, Select } from 'antd';
import { phrase } from '../phrases.ts';
import styles from './interop.module.css';

type Urls = Readonly<Record<string, string>>;

type Props = {
  /** Set by the form. */
  id?: string;
  value?: Urls | undefined;
  onChange?: (urls: Urls) => void;
};

/** The interfaces that a partner has elsewhere, each once, with its whole address. */
export function InterfaceUrlsField({ id, value = {}, onChange }: Props) {
  const rows = Object.entries(value);
  const free = partnerInterfaces.filter((name) => !Object.hasOwn(value, name));
  const [next] = free;
  const change = (index: number, row: readonly [name: string, url: string]) =>
    onChange?.(Object.fromEntries(rows.with(index, [...row])));
  return (
    <div id={id} className={styles.interfaces}>
      {rows.map(([name, url], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its interface is chosen
        <div key={index} className={styles.interface}>
          <Select
            aria-label={phrase('interop.interfaceName', { number: index + 1 })}
            showSearch
            value={name}
            options={[name, ...free].map((one) => ({ value: one, label: one }))}
            onChange={(chosen) => change(index, [chosen, url])}
          />
          <Input
            aria-label={phrase('interop.interfaceUrl', { number: index + 1 })}
            value={url}
            onChange={({ target }) => change(index, [name, target.value])}
          />
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            aria-label={phrase('interop.interfaceRemove', { number: index + 1 })}
            onClick={() => onChange?.(Object.fromEntries(rows.toSpliced(index, 1)))}
          />
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onChange?.({ ...value, [next]: '' })}
      >
        {phrase('interop.interfaceAdd')}
      </Button>
    </div>
  );
}
