import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs tests of single rules before random stories, which take seconds: the first failure ends the run. */
export class StoriesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  return moduleId.endsWith('-stories.test.ts') ? 1 : 0;
}
