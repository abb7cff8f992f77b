import { InputNumber } from 'antd';

/** 1e-5 yuan in a yuan. */
const perYuan = 100_000;
const yuanMax = 100;

type Props = {
  /** Set by the form. */
  id?: string;
  value?: number | undefined;
  onChange?: (priceE5: number | undefined) => void;
  label: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
};

/** A price per kWh: entered in yuan with four decimals, kept in 1e-5 yuan. One that has a fifth decimal shows it. */
export function PriceField({ id, value, onChange, label, ...given }: Props) {
  return (
    <InputNumber<number>
      {...given}
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      style={{ width: '100%' }}
      min={0}
      max={yuanMax}
      step={0.01}
      precision={value !== undefined && value % 10 !== 0 ? 5 : 4}
      value={value === undefined ? null : value / perYuan}
      onChange={(yuan) => onChange?.(yuan === null ? undefined : Math.round(yuan * perYuan))}
    />
  );
}
