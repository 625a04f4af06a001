/** Names and values of a contest or a challenge, in columns. */
import type { ReactNode } from 'react';

export function FactList({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 text-13 sm:grid-cols-2 xl:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 justify-between gap-3">
          <dt className="shrink-0 text-text-3">{name}</dt>
          <dd className="figures min-w-0 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
