/**
 * Charges priced again by one rehearsal at most: a busy month of the largest network. By itself, because every list tells
 * of tasks that failed, and none needs the rest of rehearsals for it.
 */
export const rehearsedChargesMax = 2_000_000;
