import { nothingText, powerText } from './figures.ts';

type Props = { w: number | null | undefined; bare?: boolean };

/** A power in W as 60.0 kW; `bare` omits the unit in columns whose head has it. */
export function Power({ w, bare = false }: Props) {
  if (w === null || w === undefined) return nothingText;
  return (
    <span className="figure">
      {powerText(w)}
      {bare ? '' : ' kW'}
    </span>
  );
}
