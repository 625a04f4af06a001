/** One audit entry in full: values before and after side by side, and links to related entries. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import type { AuditEntry, AuditFilter } from './audit-entries.ts';
import { accountIdOf, fieldLabel, parseDetail } from './labels.ts';
import { toFilterSearch } from './useAuditUrlState.ts';
import { useManagerNames } from './useManagerNames.ts';

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const { changes } = parseDetail(entry.detail, useManagerNames());
  if (changes.length === 0) return null;
  return (
    <table className="w-full self-start text-left text-12">
      <caption className="sr-only">Changes</caption>
      <thead>
        <tr className="h-7 border-b border-line text-11 text-text-3">
          {['Changed', 'Before', 'After'].map((head) => (
            <th key={head} scope="col" className="pr-4 font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field} className="border-b border-line/65 align-top last:border-b-0">
            <th scope="row" className="py-1.5 pr-4 font-normal text-text-2">
              {field}
            </th>
            <td className="figures py-1.5 pr-4 wrap-anywhere text-text-2">{before}</td>
            <td
              className={`figures py-1.5 pr-4 wrap-anywhere ${before === after ? 'text-text-2' : 'font-medium'}`}
            >
              {after}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-3 py-1 max-md:grid-cols-[88px_minmax(0,1fr)]">
      <dt className="text-text-3">{name}</dt>
      <dd className="figures min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

const linkClass = 'inline-flex min-h-6 items-center text-accent hover:underline max-md:min-h-11';

/** Nothing where the entry has no such value. */
function FilterLink({ only, children }: { readonly only: Partial<AuditFilter>; readonly children: string }) {
  if (Object.values(only).includes(null)) return null;
  return (
    <Link to={{ search: toFilterSearch(only) }} className={linkClass}>
      {children}
    </Link>
  );
}

export function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  const { isChange, changes, facts } = parseDetail(entry.detail);
  const account = entry.subject_id === null ? null : accountIdOf(entry.detail);
  // The object has its own row.
  const others = facts.filter(({ value }) => value !== entry.object_id);
  return (
    <div className="flex flex-col gap-4 text-12">
      <div
        className={`grid gap-x-8 gap-y-3 ${changes.length > 0 ? 'grid-cols-2 max-lg:grid-cols-1' : 'grid-cols-1'}`}
      >
        <Changes entry={entry} />
        <dl>
          <Fact name="Reason">{entry.reason ?? <span className="text-text-3">None given</span>}</Fact>
          {changes.length === 0 && isChange ? <Fact name="Changed">Nothing</Fact> : null}
          {others.map(({ field, value }) => (
            <Fact key={field} name={field}>
              {value}
            </Fact>
          ))}
          <Fact name="When">
            <DateTime iso={entry.at} /> <span className="text-text-3">({entry.at})</span>
          </Fact>
          {entry.object_id === null ? null : <Fact name="Object">{entry.object_id}</Fact>}
          <Fact name="Request">{entry.request_id ?? <span className="text-text-3">None</span>}</Fact>
          <Fact name={fieldLabel('link')}>
            {`${entry.seq}:`}
            <span className="text-text-3">{entry.hash}</span>
          </Fact>
        </dl>
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <FilterLink only={{ actor: entry.actor_id }}>All by this actor</FilterLink>
        <FilterLink only={{ subject: entry.subject_id }}>All about this user</FilterLink>
        <FilterLink only={{ object: entry.object_id }}>All about this object</FilterLink>
        {account === null ? null : (
          <Link to={`/admin/users/${entry.subject_id}?account=${account}`} className={linkClass}>
            Open the account
          </Link>
        )}
        {account !== null ||
        entry.object_id === null ||
        entry.subject_id === null ||
        !entry.action.startsWith('position.') ? null : (
          <Link
            to={`/admin/users/${entry.subject_id}?section=positions&position=${entry.object_id}`}
            className={linkClass}
          >
            Open the position
          </Link>
        )}
        <FilterLink only={{ request: entry.request_id }}>All of this request</FilterLink>
      </div>
    </div>
  );
}
