import { Button } from 'antd';
import { Component, type ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';

type Props = { children: ReactNode };
type State = { failure: unknown; hasFailed: boolean };

/** A chunk of an older version is no longer on the server: the page has to be reloaded. */
function isOutdated(failure: unknown): boolean {
  return (
    failure instanceof TypeError &&
    /dynamically imported module|Importing a module|module script/i.test(failure.message)
  );
}

/** Contains one page's failure: the shell and the other tabs live on. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { failure: null, hasFailed: false };

  static getDerivedStateFromError(failure: unknown): State {
    return { failure, hasFailed: true };
  }

  override componentDidCatch(failure: unknown): void {
    console.error(failure);
  }

  override render(): ReactNode {
    const { failure, hasFailed } = this.state;
    if (!hasFailed) return this.props.children;
    if (isOutdated(failure)) {
      return (
        <EmptyState
          title={phrase('shell.newVersion')}
          action={<Button onClick={() => location.reload()}>{phrase('shell.reload')}</Button>}
        />
      );
    }
    return (
      <ErrorState
        failure={failure}
        title={phrase('shell.pageFailed')}
        retry={() => this.setState({ failure: null, hasFailed: false })}
      />
    );
  }
}
