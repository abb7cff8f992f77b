/**
 * The screens outside the frame, without menu or tab. They are a separate file because the sign-in page needs their
 * addresses without loading those of every other screen.
 */
export const outerScreens = {
  login: { path: '/login', query: {} as { redirect?: string } },
  /** The big-data screen, unless the configuration sets another address. */
  screen: { path: '/screen', query: {} as { token?: string } },
} as const satisfies Record<string, { path: `/${string}`; query: object }>;
