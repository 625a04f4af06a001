/** Names of users in the audit log, whose entries outlive the accounts. */
import { Link } from 'react-router';
import type { AuditEntry } from './audit-entries.ts';

interface UserLinkProps {
  readonly id: string;
  /** Null when the account no longer exists. */
  readonly user: { readonly username: string } | null;
}

function UserLink({ id, user }: UserLinkProps) {
  if (user === null) {
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
      <bdi className="truncate">{user.username}</bdi>
    </Link>
  );
}

/** The actor, and the user whom the actor impersonated. */
export function Actor({ entry }: { readonly entry: AuditEntry }) {
  if (entry.actor_id === null) return <span className="text-text-2">Operator or server</span>;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
      <UserLink id={entry.actor_id} user={entry.actor} />
      {entry.on_behalf_of === null ? null : (
        <span className="inline-flex items-center gap-1.5 text-warn">
          as <UserLink id={entry.on_behalf_of} user={entry.on_behalf} />
        </span>
      )}
    </span>
  );
}

export function Subject({ entry }: { readonly entry: AuditEntry }) {
  if (entry.subject_id === null) return <span className="text-text-3">–</span>;
  return <UserLink id={entry.subject_id} user={entry.subject} />;
}
