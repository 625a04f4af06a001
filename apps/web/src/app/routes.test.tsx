import { Children, isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { Page } from './Page.tsx';
import { AppRoutes } from './routes.tsx';

interface RouteProps {
  readonly path?: string;
  readonly index?: boolean;
  readonly element?: ReactNode;
  readonly children?: ReactNode;
}

/** Every path below a route, and whether the page's error boundary is around it. */
function pathsBelow(node: ReactNode, isWithin: boolean): [string, boolean][] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement<RouteProps>(child)) return [];
    const { path, index, element, children } = child.props;
    const within = isWithin || (isValidElement(element) && element.type === Page);
    const own: [string, boolean][] = index ? [['/', within]] : path === undefined ? [] : [[path, within]];
    return [...own, ...pathsBelow(children, within)];
  });
}

test('X-01: every page is inside the error boundary of its route; the journeys test its recovery', () => {
  const routes = AppRoutes();
  const paths = pathsBelow(routes.props.children, false);
  expect(paths.filter(([, isWithin]) => !isWithin)).toEqual([]);
  expect(paths.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      ...['/', 'about', 'contact', 'terms', 'privacy', 'login', 'register', 'reset-password'],
      ...['update-password', 'auth/callback', 'dashboard', 'trading', 'wallet', 'chat', 'profile'],
      ...['admin', 'admin/metrics', 'admin/audit', 'admin/users/:userId', 'manager', 'support', '*'],
    ]),
  );
});
