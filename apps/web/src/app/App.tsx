/** The whole app: settles the session first, then routes. Errors that no page caught end at the outermost boundary (A97). */
import { BrowserRouter } from 'react-router';
import { log } from '../shared/log/log.ts';
import { startSession, useSession } from '../shared/session/index.ts';
import { PageSpinner, ToastOutlet } from '../shared/ui/index.ts';
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
  return <AppRoutes />;
}

export function App() {
  return (
    <ErrorBoundary heading="Unexpected Application Error!">
      <BrowserRouter>
        <Settled />
        <ToastOutlet />
      </BrowserRouter>
    </ErrorBoundary>
  );
}
