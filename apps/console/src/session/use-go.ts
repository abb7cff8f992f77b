import type { ScreenCode } from '@voltdeck/contract/screens';
import { useNavigate } from 'react-router';
import { useSession } from './session.ts';
import { type QueryArgument, to } from './to.ts';

/** Tells whether a screen is built and the user may open it, so that no link leads to a refusal. */
export function useMayGo(): (screen: ScreenCode) => boolean {
  const { reachable } = useSession();
  return (screen) => reachable.has(screen);
}

/** Navigates to a screen from a button; for a plain link use `ScreenLink`. */
export function useGo(): <Code extends ScreenCode>(screen: Code, ...query: QueryArgument<Code>) => void {
  const navigate = useNavigate();
  return (screen, ...query) => void navigate(to(screen, ...query));
}
