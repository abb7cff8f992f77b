/** A change that no test notices, and why that is right or is left so. */
export interface KnownSurvivor {
  file: string;
  /** The line as it stands, without indentation. */
  was: string;
  /** The line after the change. */
  becomes: string;
  because: string;
}

export const knownSurvivors: readonly KnownSurvivor[] = [];
