/**
 * Who may see which part of the app. Guards redirect, they do not protect: the server decides what anybody may read or
 * do. They render only once the session is settled (App.tsx).
 */
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { homeOf, landingAfterSignIn, originOf, type Role, useSession } from '../shared/session/index.ts';

const useRole = (): Role | null =>
  useSession((session) => (session.status === 'signed-in' ? session.user.role : null));

/** ROUTE-14 to ROUTE-18, ROUTE-27, ROUTE-28: visitors log in and come back, staff belong elsewhere. */
export function TraderOnly({ children }: { readonly children: ReactNode }) {
  const role = useRole();
  const { pathname, search, hash } = useLocation();
  if (role === null) return <Navigate to="/login" replace state={{ from: `${pathname}${search}${hash}` }} />;
  if (role !== 'trader') return <Navigate to={homeOf(role)} replace />;
  return children;
}

/** ROUTE-19 to ROUTE-22, ROUTE-24: anybody else goes to the login, which sends the signed-in home. */
export function StaffOnly({ admits, children }: { readonly admits: Role; readonly children: ReactNode }) {
  return useRole() === admits ? children : <Navigate to="/login" replace />;
}

/** `/` and `/login` (ROUTE-02 to ROUTE-06): the signed-in go where they came from or belong. */
export function VisitorOnly({ children }: { readonly children: ReactNode }) {
  const role = useRole();
  const { state } = useLocation();
  return role === null ? children : <Navigate to={landingAfterSignIn(role, originOf(state))} replace />;
}

/** `/register` (ROUTE-07, AUTH-28): all signed-in go to the dashboard, from where staff are moved on. */
export function RegistrationOnly({ children }: { readonly children: ReactNode }) {
  return useRole() === null ? children : <Navigate to="/dashboard" replace />;
}
