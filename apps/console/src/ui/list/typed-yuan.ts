/** "12.5" for 1250 fen, as somebody would type it. */
export function yuanOfFen(amountFen: string): string {
  return String(Number(amountFen) / 100);
}

/** The fen of a typed amount; null for anything but yuan with two decimals at most, up to `maxFen`. */
export function fenOfYuan(text: string, maxFen: number): string | null {
  const typed = /^[¥￥]?(\d{1,12})(?:[.。](\d{1,2}))?$/.exec(text.replaceAll(/[,，\s]/g, ''));
  if (typed === null) return null;
  const amountFen = Number(typed[1]) * 100 + Number((typed[2] ?? '').padEnd(2, '0'));
  return amountFen > maxFen ? null : String(amountFen);
}
