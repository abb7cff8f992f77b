import { type PlaceCode, type ScreenQuery, screens } from '@voltdeck/contract/screens';
import { searchOf } from '../api/address.ts';

/** A screen's query as an argument: optional where the screen needs none. */
export type QueryArgument<Code extends PlaceCode> =
  Record<never, never> extends ScreenQuery<Code> ? [query?: ScreenQuery<Code>] : [query: ScreenQuery<Code>];

/** The address of a screen; undefined parts of its query are left out. */
export function to<Code extends PlaceCode>(screen: Code, ...[query]: QueryArgument<Code>): string {
  return screens[screen].path + searchOf(query ?? {});
}
