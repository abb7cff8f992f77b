import { type ScreenCode, screenAt } from '@voltdeck/contract/screens';

/** The screens of the specification without a page yet; all others have their page in `routes.tsx`. */
export const screensToCome = ['statisticsList', 'totalList'] as const satisfies readonly ScreenCode[];

export type BuiltScreen = Exclude<ScreenCode, (typeof screensToCome)[number]>;

export function isBuilt(code: ScreenCode): code is BuiltScreen {
  return !(screensToCome as readonly ScreenCode[]).includes(code);
}

/** The built screen with this path, whoever may open it. */
export function builtScreenAt(path: string): BuiltScreen | undefined {
  const code = screenAt(path);
  return code !== undefined && isBuilt(code) ? code : undefined;
}
