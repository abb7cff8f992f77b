import { moneyText, nothingText, yuanText } from './figures.ts';

type Props = { fen: number | null | undefined; bare?: boolean };

/** An amount of fen as ¥1,234.56; `bare` omits the sign in columns whose head has it. */
export function Money({ fen, bare = false }: Props) {
  if (fen === null || fen === undefined) return nothingText;
  return <span className="figure">{bare ? yuanText(fen) : moneyText(fen)}</span>;
}
