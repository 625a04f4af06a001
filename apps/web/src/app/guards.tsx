/**
 * Guards of the routes. They redirect and do not protect: the server decides what a user may read or do. They render only once
 * the session is resolved (App.tsx).
 */
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { homeOf, landingAfterSignIn, originOf, type Role, useSession } from '../shared/session/index.ts';

const useRole = (): Role | null =>
  useSession((session) => (session.status === 'signed-in' ? session.user.role : null));

/** Sends visitors to the login and back afterwards, and staff to their own home (ROUTE-14 to ROUTE-18, ROUTE-27, ROUTE-28). */
export function TraderOnly({ children }: { readonly children: ReactNode }) {
  const role = useRole();
  const { pathname, search, hash } = useLocation();
  if (role === null) return <Navigate to="/login" replace state={{ from: `${pathname}${search}${hash}` }} />;
  if (role !== 'trader') return <Navigate to={homeOf(role)} replace />;
  return children;
}

/** Sends other users to the login, which sends signed-in users home (ROUTE-19 to ROUTE-22, ROUTE-24). */
export function StaffOnly({ admits, children }: { readonly admits: Role; readonly children: ReactNode }) {
  return useRole() === admits ? children : <Navigate to="/login" replace />;
}

/** Sends signed-in users from `/` and `/login` to their origin or home (ROUTE-02 to ROUTE-06). */
export function VisitorOnly({ children }: { readonly children: ReactNode }) {
  const role = useRole();
  const { state } = useLocation();
  return role === null ? children : <Navigate to={landingAfterSignIn(role, originOf(state))} replace />;
}

/** Sends all signed-in users from `/register` to the dashboard, which sends staff on (ROUTE-07, AUTH-28). */
export function RegistrationOnly({ children }: { readonly children: ReactNode }) {
  return useRole() === null ? children : <Navigate to="/dashboard" replace />;
}
