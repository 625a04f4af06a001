/**
 * A row of the dashboard whose code loads shortly before the row becomes visible, or when a link targets it. Its
 * container exists from the start, so `#journal` finds it. A failed load shows an error with Retry in that container;
 * the rest of the page keeps working.
 */
import { type ComponentType, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import type { LoadCode, MissingProps } from '../../../shared/code/lazy-code.tsx';
import { lazyPart, type WaitingProps } from '../../../shared/code/lazy-part.tsx';
import { ErrorState } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount, useInView, WidgetBoundary } from '../../../shared/widget/index.ts';

function RowLoadError({ onRetry, retrying }: MissingProps) {
  return (
    <div ref={restoreFocusOnUnmount} className="panel grid min-h-[254px] place-items-center">
      <ErrorState
        title="This section failed to load"
        detail="The rest of the page works."
        onRetry={onRetry}
        retrying={retrying}
      />
    </div>
  );
}

export const lazyRow = (load: LoadCode): ComponentType<WaitingProps> => lazyPart(load, RowLoadError);

interface LazyRowProps {
  readonly id: string;
  /** The accessible name of the row. */
  readonly label: string;
  /** Created by `lazyRow`. */
  readonly Content: ComponentType<WaitingProps>;
  readonly skeleton: ReactNode;
}

/** Below the bars that stay at the top. */
const anchorStyles =
  'scroll-mt-[calc(var(--impersonation-height)+16px)] md:scroll-mt-[calc(var(--impersonation-height)+var(--nav-height)+16px)]';

export function LazyRow({ id, label, Content, skeleton }: LazyRowProps) {
  const [ref, inView] = useInView<HTMLDivElement>();
  const { hash } = useLocation();
  const [isReached, setReached] = useState(false);
  if (!isReached && (inView || hash === `#${id}`)) setReached(true);
  const waiting = (
    <div aria-busy={isReached}>
      {isReached ? <span className="sr-only">Loading</span> : null}
      {skeleton}
    </div>
  );
  return (
    // Its widgets are the landmarks: nested ones of the same name would be announced twice.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={ref}
      id={id}
      role="group"
      aria-label={label}
      tabIndex={-1}
      className={`min-w-0 outline-none ${anchorStyles}`}
    >
      <WidgetBoundary title={label}>{isReached ? <Content waiting={waiting} /> : waiting}</WidgetBoundary>
    </div>
  );
}
