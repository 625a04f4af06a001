/**
 * Catches and logs render errors of a page, and offers a reload and the log (X-01 to X-05, A105). `resetKey` is the path:
 * navigating away leaves the broken page.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import { Component, type ReactNode } from 'react';
import { DownloadLogButton } from '../shared/log/DownloadLogButton.tsx';
import { log as appLog } from '../shared/log/log.ts';
import { Button } from '../shared/ui/index.ts';

const log = appLog.of('page');

interface Props {
  readonly heading?: string;
  readonly resetKey?: string;
  readonly children: ReactNode;
}
interface State {
  readonly caught: { readonly error: unknown } | null;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { caught: null };

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }
  override componentDidCatch(error: unknown): void {
    log.error('A page failed to render', error);
  }
  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.caught) this.setState({ caught: null });
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    const message = caught.error instanceof Error ? caught.error.message : '';
    return (
      <div role="alert" className="grid min-h-[60dvh] grow place-items-center p-6">
        <div className="max-w-md text-center">
          <h1 className="text-20 font-semibold">{this.props.heading ?? publicTexts.somethingWentWrong}</h1>
          <p className="mt-2 mb-5 text-14 break-words text-text-2">
            {message || publicTexts.unexpectedError}
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button tone="primary" onClick={() => location.reload()}>
              Reload page
            </Button>
            <DownloadLogButton />
          </div>
        </div>
      </div>
    );
  }
}
