/** The whole app: settles the session first, then routes. Errors that no page caught end at the outermost boundary (A97). */
import { Suspense, useEffect } from 'react';
import { BrowserRouter } from 'react-router';
import { startMarkPriceBeat } from '../features/market/prices/mark-price-beat.ts';
import { log } from '../shared/log/log.ts';
import { startSession, useSession } from '../shared/session/index.ts';
import { PageSpinner, ToastOutlet } from '../shared/ui/index.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { lazyLayout } from './lazyPage.tsx';
import { AppRoutes } from './routes.tsx';
import { Unreachable } from './Unreachable.tsx';

/** Carried by those who act as somebody else, not by every visitor. */
const ActingBanner = lazyLayout(() => import('./ActingBanner.tsx'));

const retry = () => {
  startSession().catch((cause: unknown) => log.error('The session could not be started', cause));
};

function Settled() {
  const status = useSession((session) => session.status);
  const isActing = useSession((session) => session.status === 'signed-in' && session.acting !== null);
  if (status === 'loading') return <PageSpinner label="Signing you in" />;
  if (status === 'unreachable') return <Unreachable onRetry={retry} />;
  return (
    // Nothing of the other account is shown before the banner that says so.
    <Suspense fallback={<PageSpinner />}>
      {isActing ? <ActingBanner /> : null}
      <AppRoutes />
    </Suspense>
  );
}

export function App() {
  // ROUTE-32, ROUTE-33: from the initialisation of the session until the app goes away.
  useEffect(() => startMarkPriceBeat(window), []);
  return (
    <ErrorBoundary heading="Unexpected Application Error!">
      <BrowserRouter>
        <Settled />
        <ToastOutlet />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
