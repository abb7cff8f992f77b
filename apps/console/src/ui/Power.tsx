import { nothingText, powerText } from './figures.ts';

type Props = { w: number | null | undefined; bare?: boolean };

/** A power of W as 60.0 kW; in a column whose head carries the unit, `bare`. */
export function Power({ w, bare = false }: Props) {
  if (w === null || w === undefined) return nothingText;
  return (
    <span className="figure">
      {powerText(w)}
      {bare ? '' : ' kW'}
    </span>
  );
}
