import type { Repository } from './repository.ts';

/** One violation of a rule. `line` counts from 1; 0 is the file as a whole. */
export interface Finding {
  path: string;
  line: number;
  text: string;
}

/** A rule of the house that a machine can check. Its name is the sentence that holds when nothing is found. */
export interface Rule {
  name: string;
  check(repository: Repository): Finding[] | Promise<Finding[]>;
}
