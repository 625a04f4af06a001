/** One act in full: before and after side by side, and the ways to what belongs to it. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import type { Act, AuditFilter } from './acts.ts';
import { withFilter } from './address.ts';
import { useNameOf } from './useNameOf.ts';
import { fieldWord, readDetail } from './words.ts';

function Changes({ act }: { readonly act: Act }) {
  const { changes } = readDetail(act.detail, useNameOf());
  if (changes.length === 0) return null;
  return (
    <table className="w-full self-start text-left text-12">
      <caption className="sr-only">What it changed</caption>
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

function Narrowed({ only, children }: { readonly only: Partial<AuditFilter>; readonly children: string }) {
  return (
    <Link
      to={{ search: `?${withFilter(new URLSearchParams(), only)}` }}
      className="inline-flex min-h-6 items-center text-accent hover:underline max-md:min-h-11"
    >
      {children}
    </Link>
  );
}

export function ActDetail({ act }: { readonly act: Act }) {
  const { isChange, changes, facts } = readDetail(act.detail);
  // The object stands by itself.
  const others = facts.filter(({ value }) => value !== act.object_id);
  return (
    <div className="flex flex-col gap-4 text-12">
      <div
        className={`grid gap-x-8 gap-y-3 ${changes.length > 0 ? 'grid-cols-2 max-lg:grid-cols-1' : 'grid-cols-1'}`}
      >
        <Changes act={act} />
        <dl>
          <Fact name="Reason">{act.reason ?? <span className="text-text-3">None given</span>}</Fact>
          {changes.length === 0 && isChange ? <Fact name="Changed">Nothing</Fact> : null}
          {others.map(({ field, value }) => (
            <Fact key={field} name={field}>
              {value}
            </Fact>
          ))}
          <Fact name="When">
            <DateTime iso={act.at} /> <span className="text-text-3">({act.at})</span>
          </Fact>
          {act.object_id === null ? null : <Fact name="Object">{act.object_id}</Fact>}
          <Fact name="Request">{act.request_id ?? <span className="text-text-3">None</span>}</Fact>
          <Fact name={fieldWord('link')}>
            {`${act.seq}:`}
            <span className="text-text-3">{act.hash}</span>
          </Fact>
        </dl>
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {act.actor_id === null ? null : <Narrowed only={{ actor: act.actor_id }}>All by this actor</Narrowed>}
        {act.subject_id === null ? null : (
          <Narrowed only={{ subject: act.subject_id }}>All about this person</Narrowed>
        )}
        {act.object_id === null ? null : (
          <Narrowed only={{ object: act.object_id }}>All about this object</Narrowed>
        )}
        {act.object_id === null || act.subject_id === null || !act.action.startsWith('position.') ? null : (
          <Link
            to={`/admin/users/${act.subject_id}?section=positions&position=${act.object_id}`}
            className="inline-flex min-h-6 items-center text-accent hover:underline max-md:min-h-11"
          >
            Open the position
          </Link>
        )}
        {act.request_id === null ? null : (
          <Narrowed only={{ request: act.request_id }}>All of this request</Narrowed>
        )}
      </div>
    </div>
  );
}
