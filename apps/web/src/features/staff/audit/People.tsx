/** Names of people in the audit log, which outlives them. */
import { Link } from 'react-router';
import type { Act } from './acts.ts';

interface PersonNameProps {
  readonly id: string;
  /** Null when there is no such account any more. */
  readonly person: { readonly username: string } | null;
}

function PersonName({ id, person }: PersonNameProps) {
  if (person === null) {
    return (
      <span title={id} className="text-text-3">
        Unknown User
      </span>
    );
  }
  return (
    <Link
      to={`/admin/users/${id}`}
      className="inline-flex min-h-6 items-center font-medium hover:text-accent hover:underline max-md:min-h-11"
    >
      <bdi className="truncate">{person.username}</bdi>
    </Link>
  );
}

/** Who did it, and as whom. */
export function Actor({ act }: { readonly act: Act }) {
  if (act.actor_id === null) return <span className="text-text-2">Operator or server</span>;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
      <PersonName id={act.actor_id} person={act.actor} />
      {act.on_behalf_of === null ? null : (
        <span className="inline-flex items-center gap-1.5 text-warn">
          as <PersonName id={act.on_behalf_of} person={act.on_behalf} />
        </span>
      )}
    </span>
  );
}

export function Subject({ act }: { readonly act: Act }) {
  if (act.subject_id === null) return <span className="text-text-3">–</span>;
  return <PersonName id={act.subject_id} person={act.subject} />;
}
