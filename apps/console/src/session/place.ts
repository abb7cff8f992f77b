import type { OpenedAct, Opening, ScreenCode, ScreenQuery } from '@voltdeck/contract/screens';

import { type QueryArgument, to, toOpen } from './to.ts';

/** A target for a link that is decided apart from where it is shown. */
export type Place = { screen: ScreenCode; address: string };

export function place<Code extends ScreenCode>(screen: Code, ...query: QueryArgument<Code>): Place {
  return { screen, address: to(screen, ...query) };
}

/** A place with one of its forms open, some of whose fields are filled in. */
export function opened<Code extends ScreenCode, Act extends OpenedAct<Code>>(
  screen: Code,
  act: Act,
  opening: Opening<Code, Act>,
  query: Partial<ScreenQuery<Code>> = {},
): Place {
  return { screen, address: toOpen(screen, act, opening, query) };
}
