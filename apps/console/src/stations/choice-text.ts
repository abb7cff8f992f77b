import type { RiderChoice } from '@voltdeck/tariffs/tariff';
import { phrase } from '../phrases.ts';
import { energyText, moneyText } from '../ui/figures.ts';

/** A rider's choice in one line: "¥5.00 · 4 h · 2 kWh", or "¥5.00 · until full". */
export function choiceText({ amountFen, hours, energyWh }: RiderChoice): string {
  const ends = [
    ...(hours === null ? [] : [phrase('stations.choiceHours', { hours })]),
    ...(energyWh === null ? [] : [phrase('stations.choiceEnergy', { energy: energyText(energyWh) })]),
  ];
  return [moneyText(amountFen), ...(ends.length === 0 ? [phrase('stations.choiceUntilFull')] : ends)].join(' · ');
}
