import { configureGlobal } from 'fast-check';

/** Generated input is the same in every run, so that a mutant is not noticed today and missed tomorrow. */
configureGlobal({ seed: 20261122 });
