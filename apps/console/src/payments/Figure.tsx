import { moneyText } from '../ui/figures.ts';

/** An amount with its name, inside a `dl`. */
export function Figure({ label, amountFen }: { label: string; amountFen: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="figure">{moneyText(amountFen)}</dd>
    </div>
  );
}
