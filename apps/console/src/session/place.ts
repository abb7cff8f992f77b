import type { ScreenCode } from '@voltdeck/contract/screens';

import { type QueryArgument, to } from './to.ts';

/** A target for a link that is decided apart from where it is shown. */
export type Place = { screen: ScreenCode; address: string };

export function place<Code extends ScreenCode>(screen: Code, ...query: QueryArgument<Code>): Place {
  return { screen, address: to(screen, ...query) };
}
