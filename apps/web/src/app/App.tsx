/** The whole app: settles the session first, then routes. Errors that no page caught end at the outermost boundary (A97). */
import { useEffect } from 'react';
import { BrowserRouter } from 'react-router';
import { startMarkPriceBeat } from '../features/market/prices/mark-price-beat.ts';
import { log } from '../shared/log/log.ts';
import { startSession, useSession } from '../shared/session/index.ts';
import { PageSpinner, ToastOutlet } from '../shared/ui/index.ts';
import { ActingBanner } from './ActingBanner.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { AppRoutes } from './routes.tsx';
import { Unreachable } from './Unreachable.tsx';

const retry = () => {
  startSession().catch((cause: unknown) => log.error('The session could not be started', cause));
};

function Settled() {
  const status = useSession((session) => session.status);
  if (status === 'loading') return <PageSpinner label="Signing you in" />;
  if (status === 'unreachable') return <Unreachable onRetry={retry} />;
  return (
    <>
      <ActingBanner />
      <AppRoutes />
    </>
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
