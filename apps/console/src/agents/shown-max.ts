/** The records of each kind that the page of an agent shows; their list has the rest. */
export const shownMax = 10;
