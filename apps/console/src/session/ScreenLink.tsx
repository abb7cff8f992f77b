import type { ScreenCode, ScreenQuery } from '@voltdeck/contract/screens';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router';
import { type QueryArgument, to } from './to.ts';
import { useMayGo } from './use-go.ts';

type QueryProp<Code extends ScreenCode> =
  Record<never, never> extends ScreenQuery<Code> ? { query?: ScreenQuery<Code> } : { query: ScreenQuery<Code> };

type Props<Code extends ScreenCode> = QueryProp<Code> & {
  screen: Code;
  className?: string | undefined;
  style?: CSSProperties;
  title?: string;
  children: ReactNode;
};

/** A link to a screen, or plain text if the user may not open it. */
export function ScreenLink<Code extends ScreenCode>({ screen, query, children, ...look }: Props<Code>) {
  const mayGo = useMayGo();
  if (!mayGo(screen)) return <span {...look}>{children}</span>;
  return (
    <Link to={to(screen, ...([query] as QueryArgument<Code>))} {...look}>
      {children}
    </Link>
  );
}
