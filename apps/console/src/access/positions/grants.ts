import type { Menu } from '@voltdeck/contract/menus';

/** A group, a screen or a button that a position can grant. */
export type GrantNode = {
  code: string;
  name: string;
  kind: 'group' | 'menu' | 'button';
  /** The caller does not have it and so can neither grant nor revoke it. */
  lacks: boolean;
  enabled: boolean;
  children: readonly GrantNode[];
};

type TreeInput = {
  menus: readonly Menu[];
  /** Codes that the caller may grant; null means all. */
  grantable: ReadonlySet<string> | null;
  /** Whether this version has the screen. */
  hasPage: (frontendUrl: string) => boolean;
  nameOf: (menu: Menu) => string;
};

/**
 * What can be granted, in menu order. Leaves out screens that this version lacks, their buttons, and groups that become
 * empty. The functions below keep codes that are not in the tree.
 */
export function grantTree({ menus, grantable, hasPage, nameOf }: TreeInput): GrantNode[] {
  const below = Map.groupBy(menus, ({ parentCode }) => parentCode);
  const nodesOf = (parent: string | null, seen: ReadonlySet<string>): GrantNode[] =>
    (below.get(parent) ?? []).flatMap((menu) => {
      if (seen.has(menu.code)) return [];
      const kind = menu.kind === 'button' ? 'button' : menu.frontendUrl === null ? 'group' : 'menu';
      if (menu.frontendUrl !== null && !hasPage(menu.frontendUrl)) return [];
      const children = nodesOf(menu.code, new Set([...seen, menu.code]));
      if (kind === 'group' && children.length === 0) return [];
      const lacks = kind === 'group' ? children.every((child) => child.lacks) : grantable?.has(menu.code) === false;
      return [{ code: menu.code, name: nameOf(menu), kind, lacks, enabled: menu.enabled, children }];
    });
  return nodesOf(null, new Set());
}

/** The screens and buttons of a branch, including its root. Groups are not grants themselves. */
export function grantsOf(node: GrantNode): GrantNode[] {
  return [...(node.kind === 'group' ? [] : [node]), ...node.children.flatMap(grantsOf)];
}

export type GrantCount = { granted: number; total: number };

export function countOf(nodes: readonly GrantNode[], granted: ReadonlySet<string>): GrantCount {
  const all = nodes.flatMap(grantsOf);
  return { granted: all.filter(({ code }) => granted.has(code)).length, total: all.length };
}

/** Grants or revokes a whole branch, as far as the caller may. */
export function withBranch(granted: ReadonlySet<string>, nodes: readonly GrantNode[], isOn: boolean): Set<string> {
  const next = new Set(granted);
  for (const { code, lacks } of nodes.flatMap(grantsOf)) {
    if (lacks) continue;
    if (isOn) next.add(code);
    else next.delete(code);
  }
  return next;
}

/**
 * Grants or revokes one entry. Granting a button grants its screen, and revoking a screen revokes its buttons, since
 * neither is of use without the other. A group stands for its whole branch.
 */
export function withGrant(
  granted: ReadonlySet<string>,
  tree: readonly GrantNode[],
  code: string,
  isOn: boolean,
): Set<string> {
  const way = wayTo(tree, code);
  const node = way.at(-1);
  if (node === undefined) return new Set(granted);
  if (node.kind === 'group' || !isOn) return withBranch(granted, [node], isOn);
  const next = new Set(granted);
  for (const each of way) if (each.kind !== 'group' && !each.lacks) next.add(each.code);
  return next;
}

function wayTo(nodes: readonly GrantNode[], code: string): GrantNode[] {
  for (const node of nodes) {
    if (node.code === code) return [node];
    const below = wayTo(node.children, code);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** The entries whose names contain `text`, with their ancestors and descendants. */
export function filteredTree(nodes: readonly GrantNode[], text: string): GrantNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    if (node.name.toLowerCase().includes(wanted)) return [node];
    const children = filteredTree(node.children, wanted);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

/** What a position may do on one screen. */
export type ScreenRights = { code: string; screen: string; area: string | null; may: string[]; mayNot: string[] };

/** Every granted screen, with its granted and its missing buttons. */
export function rightsOf(tree: readonly GrantNode[], granted: ReadonlySet<string>): ScreenRights[] {
  const walk = (nodes: readonly GrantNode[], area: string | null): ScreenRights[] =>
    nodes.flatMap((node) => {
      const below = walk(
        node.children.filter(({ kind }) => kind !== 'button'),
        node.name,
      );
      if (node.kind !== 'menu' || !granted.has(node.code)) return below;
      const buttons = node.children.filter(({ kind }) => kind === 'button');
      const names = (isGranted: boolean) =>
        buttons.filter(({ code }) => granted.has(code) === isGranted).map(({ name }) => name);
      return [{ code: node.code, screen: node.name, area, may: names(true), mayNot: names(false) }, ...below];
    });
  return walk(tree, null);
}
