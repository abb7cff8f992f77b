/** The theme's colours as values, since a canvas cannot read CSS variables. */
export type ChartColours = {
  text: string;
  textSecond: string;
  textFaint: string;
  border: string;
  borderStrong: string;
  panel: string;
  bone: string;
  charging: string;
  free: string;
  occupied: string;
  fault: string;
  offline: string;
  offlineFill: string;
  sharp: string;
  peak: string;
  flat: string;
  valley: string;
};

const variables: Readonly<Record<keyof ChartColours, string>> = {
  text: '--text',
  textSecond: '--text-second',
  textFaint: '--text-faint',
  border: '--border',
  borderStrong: '--border-strong',
  panel: '--panel',
  bone: '--bone',
  charging: '--charging-mark',
  free: '--free-mark',
  occupied: '--occupied-mark',
  fault: '--fault-mark',
  offline: '--offline-mark',
  offlineFill: '--offline-fill',
  sharp: '--period-sharp',
  peak: '--period-peak',
  flat: '--period-flat',
  valley: '--period-valley',
};

/** The colours of the theme that the page has now. */
export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  ) as ChartColours;
}
