/** Wraps every routed page: an error boundary of its own, and a spinner while its code loads. */
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
