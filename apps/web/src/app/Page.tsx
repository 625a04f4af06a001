/** What every routed page stands in: its own error boundary, and a spinner while its code arrives. */
import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router';
import { PageSpinner } from '../shared/ui/index.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

export function Page() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<PageSpinner />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}
