/**
 * What vehicle (BMS) and charger told each other or us during a charge. `values` use our words with the unit last
 * (`packVoltageMv`, `socPercent`), numbers as numbers; flags and reasons are closed texts in snake_case.
 */
export const chargeNoteKinds = [
  /** Battery and vehicle introduce themselves (BHM, BRM). */
  'vehicle-identified',
  /** The limits of battery and charger (BCP, CML). */
  'limits-agreed',
  /** What the battery requests and what the charger delivers (BCL, BCS, CCS). */
  'demand',
  /** Cells and temperatures (BSM). */
  'battery-state',
  /** Figures of the whole charge (BSD, CSD). */
  'statistics',
  /** Messages missing between the two (BEM, CEM). */
  'communication-fault',
  /** The vehicle ended the charge (BST). */
  'vehicle-abort',
  /** The charger ended the charge (CST). */
  'charger-abort',
] as const;
export type ChargeNoteKind = (typeof chargeNoteKinds)[number];

export type ChargeNote = {
  kind: ChargeNoteKind;
  values: Readonly<Record<string, number | string | boolean | readonly string[] | null>>;
};
