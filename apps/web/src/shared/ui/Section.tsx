/** One section of a settings page: its topic at the left, its controls at the right. */
import Lock from 'lucide-react/icons/lock';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, lead, children }: SectionProps) {
  const headingId = useId();
  return (
    <section
      aria-labelledby={headingId}
      className="panel grid gap-x-10 gap-y-5 p-6 max-md:p-4 lg:grid-cols-[232px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={headingId} className="text-14 font-semibold">
          {title}
        </h2>
        <div className="mt-1 text-13 text-text-2">{lead}</div>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

/** Replaces controls that only the account's owner may use, during an impersonation (A45). */
export function ImpersonationNotice({ children }: { readonly children: string }) {
  return (
    <p className="flex items-start gap-2.5 rounded-control border border-line bg-inset px-3.5 py-2.5 text-13 text-text-2">
      <Lock size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-text-3" />
      {children}
    </p>
  );
}
