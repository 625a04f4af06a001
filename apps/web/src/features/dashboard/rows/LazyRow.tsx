/**
 * A row of the dashboard whose code is fetched when it is about to be seen or a link leads to it. Its place is there from the
 * start, so `#journal` finds it. Code that does not arrive is told in that place, with Retry; the rest of the page lives on.
 */
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { ErrorState } from '../../../shared/ui/index.ts';
import { passFocusOn, useInView, WidgetBoundary } from '../../../shared/widget/index.ts';

function RowMissing({ onRetry, retrying }: MissingProps) {
  return (
    <div ref={passFocusOn} className="panel grid min-h-[254px] place-items-center">
      <ErrorState
        title="This part of the page could not be loaded"
        detail="Everything else on it works."
        onRetry={onRetry}
        retrying={retrying}
      />
    </div>
  );
}

export const lazyRow = (load: LoadCode): ComponentType => lazyCode(load, 'part', RowMissing);

interface LazyRowProps {
  readonly id: string;
  /** What the row is, for those who hear it. */
  readonly label: string;
  /** Of `lazyRow`. */
  readonly Content: ComponentType;
  readonly skeleton: ReactNode;
}

/** Below the bars that stay at the top. */
const anchorLook =
  'scroll-mt-[calc(var(--acting-height)+16px)] md:scroll-mt-[calc(var(--acting-height)+var(--nav-height)+16px)]';

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
    // Its widgets are the landmarks: one within another of the same name would be heard twice.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={ref}
      id={id}
      role="group"
      aria-label={label}
      tabIndex={-1}
      className={`min-w-0 outline-none ${anchorLook}`}
    >
      <WidgetBoundary title={label}>
        <Suspense fallback={waiting}>{isReached ? <Content /> : waiting}</Suspense>
      </WidgetBoundary>
    </div>
  );
}
