/** The app: resolves the session first, then routes. The outermost boundary catches errors that no page caught (A97). */
import { Suspense, useEffect } from 'react';
import { BrowserRouter } from 'react-router';
import { getBasePath } from '../shared/account-address/index.ts';
import { log } from '../shared/log/log.ts';
import { startSession, useSession } from '../shared/session/index.ts';
import { PageSpinner, ToastOutlet } from '../shared/ui/index.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { lazyLayout } from './lazyPage.tsx';
import { AppRoutes } from './routes.tsx';
import { Unreachable } from './Unreachable.tsx';

const AccountGone = lazyLayout(() => import('./AccountGone.tsx'));
/** Loaded during an impersonation only. */
const ImpersonationBanner = lazyLayout(() => import('./ImpersonationBanner.tsx'));

const retry = () => {
  startSession().catch((cause: unknown) => log.error('The session could not be started', cause));
};

function SettledApp() {
  const status = useSession((session) => session.status);
  const isImpersonating = useSession(
    (session) => session.status === 'signed-in' && session.impersonation !== null,
  );
  if (status === 'loading') return <PageSpinner label="Signing you in" />;
  if (status === 'unreachable') return <Unreachable onRetry={retry} />;
  return (
    // The account is not shown before the banner that marks the impersonation.
    <Suspense fallback={<PageSpinner />}>
      {isImpersonating ? <ImpersonationBanner /> : null}
      {status === 'account-gone' ? <AccountGone /> : <AppRoutes />}
    </Suspense>
  );
}

/**
 * Refreshes mark prices from the start of the session until the app closes (ROUTE-32, ROUTE-33). Only signed-in users need mark
 * prices, so the code loads with the client.
 */
function useMarkPriceBeat(): void {
  const isSignedIn = useSession((session) => session.status === 'signed-in');
  useEffect(() => {
    if (!isSignedIn) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    import('../features/market/prices/mark-price-refresh.ts')
      .then(({ startMarkPriceRefresh: startMarkPriceBeat }) => {
        if (!isOver) stop = startMarkPriceBeat(window);
      })
      .catch((cause: unknown) => log.warn('The mark price refresh failed to start', cause));
    return () => {
      isOver = true;
      stop?.();
    };
  }, [isSignedIn]);
}

export function App() {
  useMarkPriceBeat();
  return (
    <ErrorBoundary heading="Unexpected Application Error!">
      <BrowserRouter basename={getBasePath()}>
        <SettledApp />
        <ToastOutlet />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
