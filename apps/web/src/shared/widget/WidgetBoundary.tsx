/**
 * Error boundary of a widget: it shows and logs a render error in the widget's place and offers a retry; the rest of the
 * page works on.
 */
import { publicTexts } from '@fulcrum/contract/public-texts';
import { Component, type ReactNode } from 'react';
import { log } from '../log/log.ts';
import { ErrorState } from '../ui/index.ts';

const widgetLog = log.of('widgets');

interface Props {
  /** The widget's title. */
  readonly title: string;
  readonly children: ReactNode;
}
interface State {
  readonly caught: { readonly error: unknown } | null;
}

export class WidgetBoundary extends Component<Props, State> {
  override state: State = { caught: null };

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }
  override componentDidCatch(error: unknown): void {
    widgetLog.error(`${this.props.title} failed to render`, error);
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    const message = caught.error instanceof Error ? caught.error.message : '';
    return (
      <section aria-label={this.props.title} className="panel flex h-full min-w-0 flex-col overflow-auto">
        <p className="flex h-11 shrink-0 items-center px-4 text-14 font-semibold">{this.props.title}</p>
        <div className="grid min-h-0 grow place-items-center [&_[role=alert]]:py-3">
          <ErrorState
            title={publicTexts.somethingWentWrong}
            detail={message || publicTexts.unexpectedError}
            onRetry={() => this.setState({ caught: null })}
          />
        </div>
      </section>
    );
  }
}
