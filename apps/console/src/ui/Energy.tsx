import { energyText, nothingText } from './figures.ts';

type Props = { wh: number | null | undefined; bare?: boolean; decimals?: 2 | 3 };

/** An energy in Wh as 12.34 kWh, with three decimals in details; `bare` omits the unit in columns whose head has it. */
export function Energy({ wh, bare = false, decimals = 2 }: Props) {
  if (wh === null || wh === undefined) return nothingText;
  return (
    <span className="figure">
      {energyText(wh, decimals)}
      {bare ? '' : ' kWh'}
    </span>
  );
}
