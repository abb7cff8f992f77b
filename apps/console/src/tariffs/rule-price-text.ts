/** "1.2300" yuan per kWh from 1e-5 yuan: four decimals, as rules are entered, and the fifth where there is one. */
export function rulePriceText(priceE5: number): string {
  return (priceE5 / 100_000).toFixed(priceE5 % 10 === 0 ? 4 : 5);
}
