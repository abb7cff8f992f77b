import { listMenus } from '@voltdeck/contract/menus';
import { screenAt } from '@voltdeck/contract/screens';
import { useMemo } from 'react';
import { useAnswer } from '../../api/queries.ts';
import type { CallFailure } from '../../api/refused.ts';
import { language } from '../../language.ts';
import { type GrantNode, grantTree } from './grants.ts';

export type GrantTreeAnswer =
  | { kind: 'loading' }
  | { kind: 'failed'; failure: CallFailure; retry: () => void }
  | { kind: 'tree'; tree: readonly GrantNode[]; grantable: ReadonlySet<string> };

/** The grant tree, with entries that the caller cannot grant marked. */
export function useGrantTree(): GrantTreeAnswer {
  const all = useAnswer(listMenus, {});
  const own = useAnswer(listMenus, { query: { grantable: true } });
  const known = useMemo(() => {
    if (all.data === undefined || own.data === undefined) return null;
    const grantable = new Set(own.data.map(({ code }) => code));
    const tree = grantTree({
      menus: all.data,
      grantable,
      hasPage: (url) => screenAt(url) !== undefined,
      nameOf: (menu) => (language === 'en' ? menu.nameEn : menu.nameZh),
    });
    return { tree, grantable };
  }, [all.data, own.data]);
  if (known !== null) return { kind: 'tree', ...known };
  const failure = all.error ?? own.error;
  if (failure === null) return { kind: 'loading' };
  return {
    kind: 'failed',
    failure,
    retry: () => {
      void all.refetch();
      void own.refetch();
    },
  };
}
