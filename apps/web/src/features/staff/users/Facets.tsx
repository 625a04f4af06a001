/**
 * Filters the list by role, identity check, manager and restriction. Each value shows how many users it matches; a value
 * without matches can still be selected and cleared.
 */
import { type ReactNode, useState } from 'react';
import { Checkbox } from '../../../shared/ui/index.ts';
import { roleLabels } from '../user-dialogs/index.ts';
import { formatCount } from './labels.ts';
import { kycVariants, type ListedUsers, noManager } from './listed-user.ts';
import type { UsersFilter } from './users-query.ts';

interface FacetsProps {
  readonly filter: UsersFilter;
  /** Undefined while they are being counted. */
  readonly counts: ListedUsers['facets'] | undefined;
  readonly onChange: (change: Partial<UsersFilter>) => void;
}

/** Managers listed before the button that shows the rest. */
const shownManagersMax = 6;

interface ValueProps {
  readonly checked: boolean;
  readonly count: number | undefined;
  readonly onChange: () => void;
  readonly children: string;
}

function Value({ checked, count, onChange, children }: ValueProps) {
  return (
    <li className="flex min-h-7 items-center justify-between gap-2 max-lg:min-h-11">
      <Checkbox checked={checked} onChange={onChange}>
        <bdi className="max-w-36 truncate">{children}</bdi>
        {count === undefined ? null : <span className="sr-only">, {formatCount(count)}</span>}
      </Checkbox>
      <span
        aria-hidden="true"
        className={`figures text-12 ${count === 0 && !checked ? 'text-text-3' : 'text-text-2'}`}
      >
        {count === undefined ? '' : formatCount(count)}
      </span>
    </li>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <fieldset className="mt-4 first:mt-0">
      <legend className="mb-1 text-12 font-semibold">{name}</legend>
      <ul>{children}</ul>
    </fieldset>
  );
}

const toggle = <Item,>(values: readonly Item[], value: Item): readonly Item[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];

export function Facets({ filter, counts, onChange }: FacetsProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { roles, kyc, managers, restricted } = filter;
  const all = counts?.managers ?? [];
  const shown = all.filter(
    ({ id }, index) => showsAll || index < shownManagersMax || id === 'none' || managers.includes(id),
  );
  return (
    <div>
      <Group name="Role">
        {keysOf(roleLabels).map((role) => (
          <Value
            key={role}
            checked={roles.includes(role)}
            count={counts?.roles[role]}
            onChange={() => onChange({ roles: toggle(roles, role) })}
          >
            {roleLabels[role]}
          </Value>
        ))}
      </Group>
      <Group name="KYC">
        {keysOf(kycVariants).map((status) => (
          <Value
            key={status}
            checked={kyc.includes(status)}
            count={counts?.kyc[status]}
            onChange={() => onChange({ kyc: toggle(kyc, status) })}
          >
            {kycVariants[status].label}
          </Value>
        ))}
      </Group>
      <Group name="Manager">
        {shown.map(({ id, username, users }) => (
          <Value
            key={id}
            checked={managers.includes(id)}
            count={users}
            onChange={() => onChange({ managers: toggle(managers, id) })}
          >
            {username ?? noManager}
          </Value>
        ))}
        {all.length > shownManagersMax + 1 ? (
          <li>
            <button
              type="button"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
              className="min-h-7 rounded-badge text-12 text-accent hover:underline max-lg:min-h-11"
            >
              {showsAll ? 'Fewer managers' : `All ${all.length - 1} managers`}
            </button>
          </li>
        ) : null}
      </Group>
      <Group name="Restricted">
        <Value
          checked={restricted === true}
          count={counts?.restricted.yes}
          onChange={() => onChange({ restricted: restricted === true ? null : true })}
        >
          Yes
        </Value>
        <Value
          checked={restricted === false}
          count={counts?.restricted.no}
          onChange={() => onChange({ restricted: restricted === false ? null : false })}
        >
          No
        </Value>
      </Group>
    </div>
  );
}
