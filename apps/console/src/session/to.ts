import {
  type OpenedAct,
  type Opening,
  openingParameters,
  type PlaceCode,
  type ScreenQuery,
  screens,
} from '@voltdeck/contract/screens';
import { searchOf } from '../api/address.ts';

/** A screen's query as an argument: optional where the screen needs none. */
export type QueryArgument<Code extends PlaceCode> =
  Record<never, never> extends ScreenQuery<Code> ? [query?: ScreenQuery<Code>] : [query: ScreenQuery<Code>];

/** The address of a screen; undefined parts of its query are left out. */
export function to<Code extends PlaceCode>(screen: Code, ...[query]: QueryArgument<Code>): string {
  return screens[screen].path + searchOf(query ?? {});
}

/**
 * The address of a screen with one of its forms open, some of whose fields are filled in; `query` is the screen's own.
 */
export function toOpen<Code extends PlaceCode, Act extends OpenedAct<Code>>(
  screen: Code,
  act: Act,
  opening: Opening<Code, Act>,
  query: Partial<ScreenQuery<Code>> = {},
): string {
  const { of, ...given } = opening as { of?: number } & Readonly<Record<string, unknown>>;
  const named = Object.entries(given).map(([name, value]) => [openingParameters.given + name, value]);
  const parameters = {
    ...query,
    [openingParameters.act]: act,
    [openingParameters.records]: of,
    ...Object.fromEntries(named),
  };
  return screens[screen].path + searchOf(parameters);
}
