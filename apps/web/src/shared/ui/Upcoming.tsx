/** A page of a feature that is not built yet: what it will offer, and what the user can do now. */
import type { ReactNode } from 'react';

interface UpcomingProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly now?: ReactNode;
}

export function Upcoming({ title, children, now }: UpcomingProps) {
  return (
    <section className="panel mx-auto mt-6 w-[calc(100%-32px)] max-w-2xl p-6">
      <title>{`${title} · Fulcrum`}</title>
      <h1 className="text-20 font-semibold">{title}</h1>
      <div className="mt-2 text-14 text-text-2">{children}</div>
      {now ? <div className="mt-5 flex flex-wrap gap-2">{now}</div> : null}
    </section>
  );
}
