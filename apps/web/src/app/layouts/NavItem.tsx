/** A link of a top navigation; the current page's link has the accent bar. */
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';

export function NavItem({
  to,
  end = false,
  children,
}: {
  readonly to: string;
  readonly end?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <NavLink
      to={to}
      end={end}
      className="group relative flex h-full items-center gap-1.5 px-3 text-13 font-medium text-text-2 transition-colors -outline-offset-2 hover:text-text aria-[current=page]:text-text"
    >
      {children}
      <span className="absolute inset-x-3 -bottom-px h-0.5 bg-accent opacity-0 group-aria-[current=page]:opacity-100" />
    </NavLink>
  );
}
