import * as z from 'zod/mini';
import { idField, newPasswordField, nothing, textField } from './fields.ts';
import { dataScopes, type Permission } from './permissions.ts';
import { route } from './route.ts';

/** Specification section 7: POST /login, a form body. */
export const login = route({
  method: 'POST',
  path: '/login',
  summary: 'Sign in',
  permission: 'public',
  bodyKind: 'form',
  body: z.object({
    userName: textField(64),
    password: z.string().check(z.minLength(1), z.maxLength(256)),
    platForm: z.coerce.number().check(z.int()) as unknown as z.ZodMiniNumber,
    /** Required after repeated failures: the answer to what getCaptcha showed. */
    captchaId: z.optional(z.string().check(z.maxLength(64))),
    captcha: z.optional(z.string().check(z.maxLength(16))),
  }),
  answer: z.object({
    token: z.string(),
    userName: z.string(),
    userInfo: z.object({ id: z.int(), admin: z.boolean() }),
  }),
  errors: ['login.failed', 'login.locked', 'login.disabled', 'login.captcha_needed', 'captcha.wrong'],
});

export const logout = route({
  method: 'POST',
  path: '/logout',
  summary: 'End this session',
  permission: 'signed-in',
  openWithInitialPassword: true,
  answer: nothing,
  errors: [],
});

export const getUserInfo = route({
  method: 'GET',
  path: '/user/info',
  summary: 'Who is signed in',
  permission: 'signed-in',
  tokenIn: 'query',
  openWithInitialPassword: true,
  answer: z.object({
    id: z.int(),
    name: z.string(),
    userName: z.string(),
    avatar: z.nullable(z.string()),
    admin: z.boolean(),
    dataScope: z.enum(dataScopes),
    /** The agent the user works for (specification section 3, business context); null for the platform's own staff. */
    busiid: z.nullable(idField<'agent'>()),
    /** Its name, or that of the divider that the user is. */
    businame: z.nullable(z.string()),
    /** Someone else set the password: every call except changing it is refused until the user changes it. */
    mustChangePassword: z.boolean(),
    permissions: z.array(z.string() as unknown as z.ZodMiniType<Permission, string>),
  }),
  errors: [],
});

/** The same user must have uploaded the file for the purpose `avatar`; the previous portrait is deleted. */
export const changeAvatar = route({
  method: 'PUT',
  path: '/user/avatar',
  summary: 'Set or remove the caller’s portrait',
  permission: 'signed-in',
  body: z.object({ fileId: z.nullable(idField<'file'>()) }),
  answer: z.object({ avatar: z.nullable(z.string()) }),
  errors: [],
});

export type MenuEntry = {
  code: string;
  name: string;
  /** Null for a group that only holds children. */
  frontendUrl: string | null;
  icon: string | null;
  isShown: 0 | 1;
  sort: number;
  children: MenuEntry[];
};

/** Specification section 7: GET /menu/getUserMenu, a list of menu entries with frontendUrl and children. */
export const getUserMenu = route({
  method: 'GET',
  path: '/menu/getUserMenu',
  summary: 'The menus of the signed-in user, names in the language of the request',
  permission: 'signed-in',
  tokenIn: 'query',
  openWithInitialPassword: true,
  answer: z.array(z.any()) as unknown as z.ZodMiniType<MenuEntry[]>,
  errors: [],
});

/** Specification section 7: POST /changePwd; ends every session of the user. */
export const changePassword = route({
  method: 'POST',
  path: '/changePwd',
  summary: 'Change the caller’s password',
  permission: 'signed-in',
  tokenIn: 'body',
  openWithInitialPassword: true,
  body: z.object({
    password: z.string().check(z.minLength(1), z.maxLength(256)),
    newPassword: newPasswordField,
    token: z.optional(z.string()),
  }),
  answer: nothing,
  errors: ['password.wrong', 'password.same', 'password.too_common'],
});

/**
 * Specification section 7: GET /sysConfig/getInfoByKey, data is the value. Only keys marked public are answered without
 * a session.
 */
export const getConfigByKey = route({
  method: 'GET',
  path: '/sysConfig/getInfoByKey',
  summary: 'One configuration value',
  permission: 'public',
  query: z.object({ configKey: textField(64) }),
  answer: z.nullable(z.string()),
  errors: [],
});
