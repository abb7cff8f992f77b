import { energyText, nothingText } from './figures.ts';

type Props = { wh: number | null | undefined; bare?: boolean; decimals?: 2 | 3 };

/** An energy of Wh as 12.34 kWh, three decimals in detail; in a column whose head carries the unit, `bare`. */
export function Energy({ wh, bare = false, decimals = 2 }: Props) {
  if (wh === null || wh === undefined) return nothingText;
  return (
    <span className="figure">
      {energyText(wh, decimals)}
      {bare ? '' : ' kWh'}
    </span>
  );
}
