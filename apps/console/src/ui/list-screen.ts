import { type ListScreenName, listScreens } from '@voltdeck/contract/list-screens';

export type ListScreenOf = { name: ListScreenName; fixed: Readonly<Record<string, string>> };

/** A screen of a list that appears on several. Only such pages load the table of them. */
export const listScreen = (name: ListScreenName): ListScreenOf => ({ name, fixed: listScreens[name].fixed });
