import * as z from 'zod/mini';
import { filter, linkField, nothing, textField } from './fields.ts';
import { menuIconNames } from './menu-icons.ts';
import { route } from './route.ts';

export const menuKinds = ['menu', 'button'] as const;
export type MenuKind = (typeof menuKinds)[number];

const codeField = z.string().check(z.trim(), z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'key_format'));
/** A screen of this console, or a link out of it (specification section 5). */
const frontendUrlField = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500),
    z.regex(/^(?:\/[A-Za-z0-9/_-]+|(?:https?:\/\/|mailto:|tel:)\S+)$/i, 'route_format'),
  );
/** A name from the console's icon set, or a link (specification section 5: http, https, mailto or tel). */
const iconField = z.string().check(
  z.trim(),
  z.maxLength(500),
  z.refine((icon) => (menuIconNames as readonly string[]).includes(icon) || z.safeParse(linkField, icon).success, {
    error: 'icon_format',
  }),
);

/** One entry of the menu tree as stored; `parentCode` links the entries into a tree. */
export const menu = z.object({
  code: z.string(),
  parentCode: z.nullable(z.string()),
  nameZh: z.string(),
  nameEn: z.string(),
  kind: z.enum(menuKinds),
  /** The screen or link it opens; null for groups and buttons. */
  frontendUrl: z.nullable(z.string()),
  /** The API behind it; a note for administrators that decides nothing. */
  backendUrl: z.string(),
  icon: z.nullable(z.string()),
  /** The permission it grants on the server; null for groups. */
  permission: z.nullable(z.string()),
  sort: z.int(),
  shown: z.boolean(),
  enabled: z.boolean(),
  /** Came with the product: it can be renamed, moved, hidden and disabled, but not deleted. */
  builtIn: z.boolean(),
});
export type Menu = z.output<typeof menu>;

const menuForm = {
  parentCode: z.nullable(codeField),
  nameZh: textField(32),
  nameEn: textField(64),
  kind: z.enum(menuKinds),
  frontendUrl: z.nullable(frontendUrlField),
  backendUrl: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  icon: z.nullable(iconField),
  sort: z.int().check(z.gte(0), z.lte(1_000_000)),
  shown: z.boolean(),
  enabled: z.boolean(),
};

export const listMenus = route({
  method: 'GET',
  path: '/menus',
  summary: 'Every menu and button, in the order of the tree; `grantable` omits what the caller cannot grant',
  permission: ['menu.read', 'position.read'],
  query: z.object({ grantable: filter.flag() }),
  answer: z.array(menu),
  errors: [],
});

export const createMenu = route({
  method: 'POST',
  path: '/menus',
  summary: 'Add a menu: a group, or a screen of this console under another name',
  permission: 'menu.edit',
  body: z.object({ code: codeField, ...menuForm }),
  answer: menu,
  errors: ['menu.code_taken', 'menu.url_taken', 'menu.circle'],
});

export const changeMenu = route({
  method: 'PUT',
  path: '/menus/{code}',
  summary: 'Change a menu; disabling one takes its permissions from everyone but administrators',
  permission: 'menu.edit',
  params: z.object({ code: z.string().check(z.maxLength(64)) }),
  body: z.object(menuForm),
  answer: menu,
  errors: ['menu.url_taken', 'menu.circle', 'menu.not_hideable', 'menu.built_in'],
});

export const deleteMenu = route({
  method: 'DELETE',
  path: '/menus/{code}',
  summary: 'Delete a menu that did not come with the product and has nothing below it',
  permission: 'menu.edit',
  params: z.object({ code: z.string().check(z.maxLength(64)) }),
  answer: nothing,
  errors: ['menu.has_children', 'menu.built_in'],
});

export const orderMenus = route({
  method: 'PUT',
  path: '/menu-order',
  summary: 'Order the menus of one parent; menus from elsewhere move below it',
  permission: 'menu.edit',
  body: z.object({
    parentCode: z.nullable(codeField),
    codes: z.array(codeField).check(z.minLength(1), z.maxLength(200)),
  }),
  answer: nothing,
  errors: ['menu.circle'],
});
