/**
 * Layout of login, registration and reset: the form at the left, from 1024 px on a cropped picture of the product at the right.
 */
import { type ComponentType, lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { log } from '../../shared/log/log.ts';
import { Brand, useMediaQuery } from '../../shared/ui/index.ts';
import { Page } from '../Page.tsx';
import { Main } from './Main.tsx';

/** Decoration: the form works without it. */
const Showcase = lazy(
  (): Promise<{ default: ComponentType }> =>
    import('../../features/landing/Showcase.tsx').catch((cause: unknown) => {
      log.warn('The showcase failed to load', cause);
      return { default: () => null };
    }),
);

const legal = [
  { to: '/terms', label: 'Terms of Service' },
  { to: '/privacy', label: 'Privacy Policy' },
  { to: '/contact', label: 'Contact' },
] as const;

export default function AuthLayout() {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  return (
    <div className="grid min-h-[calc(100dvh-var(--impersonation-height))] lg:grid-cols-[clamp(440px,41.7vw,600px)_1fr]">
      <div className="flex min-w-0 flex-col px-10 py-8 max-md:px-5 max-md:py-5">
        <header className="flex">
          <Link to="/" aria-label="Fulcrum, home">
            <Brand />
          </Link>
        </header>
        <Main className="flex grow flex-col items-center py-10 max-md:py-8">
          <Page />
        </Main>
        <nav aria-label="Legal" className="flex flex-wrap gap-x-5 text-12 text-text-3">
          {legal.map(({ to, label }) => (
            <Link key={to} to={to} className="py-1 hover:text-text max-md:py-3">
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {hasRoom ? (
        <aside
          aria-label="About Fulcrum"
          className="sticky top-(--impersonation-height) h-[calc(100dvh-var(--impersonation-height))] overflow-hidden border-l border-line"
        >
          <Suspense fallback={null}>
            <Showcase />
          </Suspense>
        </aside>
      ) : null}
    </div>
  );
}
