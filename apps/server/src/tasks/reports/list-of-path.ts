import type { ListName } from '@voltdeck/contract/list';
import { lists } from '@voltdeck/contract/routes';

const byPath = new Map([...lists].map(([, { path, name }]): [string, ListName] => [path, name]));

/** The list that saved filters belong to: they name its path, and after "#" the screen where it has several. */
export const listOfPath = (path: string): ListName | null => byPath.get(path.split('#')[0] ?? '') ?? null;
