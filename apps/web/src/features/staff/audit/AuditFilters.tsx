/** The filters of the audit log. Each applies on blur or Enter; one that matches no user or is no id shows an error. */

import { isUuid } from '@fulcrum/domain';
import ListFilter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Button, IconButton, usePhone } from '../../../shared/ui/index.ts';
import type { AuditFilter } from './audit-entries.ts';
import { actionGroups, actionLabel } from './labels.ts';
import { UserFilter } from './UserFilter.tsx';
import { isFiltered } from './useAuditUrlState.ts';

const control = 'control h-8 w-full min-w-0 px-2 text-12 max-md:h-11 max-md:text-16 pointer-coarse:text-16';

function Labelled({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-11 font-medium text-text-2">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface IdFilterProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Called with the reason why the text is invalid; null when it is valid. */
  readonly onInvalid: (reason: string | null) => void;
}

function IdFilter({ label, value, onChange, onInvalid }: IdFilterProps) {
  const shown = value ?? '';
  const [draft, setDraft] = useState(shown);
  useEffect(() => setDraft(shown), [shown]);
  const [isInvalid, setInvalid] = useState(false);
  const set = (text: string) => {
    const isValid = text === '' || isUuid(text);
    setInvalid(!isValid);
    onInvalid(isValid ? null : `"${text}" is not a valid id.`);
    if (isValid) onChange(text.toLowerCase() || null);
  };
  const commit = () => {
    const text = draft.trim();
    if (text !== shown) set(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') setDraft(shown);
  };
  return (
    <Labelled label={label}>
      {(id) => (
        <div className="relative">
          <input
            id={id}
            value={draft}
            placeholder="Id"
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isInvalid || undefined}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={commit}
            onKeyDown={onKeyDown}
            className={`${control} pr-8 max-md:pr-11`}
          />
          {value === null ? null : (
            <IconButton
              label={`Clear ${label.toLowerCase()}`}
              onClick={() => set('')}
              className="absolute inset-y-0 right-0 max-md:size-11"
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      )}
    </Labelled>
  );
}

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
  readonly onClear: () => void;
  /** The number and order of the entries. */
  readonly result: string;
  /** The controls at the right, below the filters. */
  readonly children: ReactNode;
}

export function AuditFilters({ filter, onChange, onClear, result, children }: AuditFiltersProps) {
  const [invalidText, setInvalidText] = useState<string | null>(null);
  /** Each clearing resets the fields, including rejected texts that never became a filter. */
  const [clearings, setClearings] = useState(0);
  const { action } = filter;
  const phone = usePhone();
  const [isOpen, setOpen] = useState(false);
  const inUse = Object.values(filter).filter((one) => one !== null).length;
  const isKnown = action === null || Object.values(actionGroups).some((group) => action in group);
  return (
    <search className="flex flex-col gap-2 border-b border-line px-4 py-3">
      {phone ? (
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter size={14} aria-hidden="true" />
          {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
        </Button>
      ) : null}
      <div
        key={clearings}
        hidden={phone && !isOpen}
        className="grid [&[hidden]]:hidden grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-x-3 gap-y-2 max-md:grid-cols-2 max-md:[&>:nth-child(-n+3)]:col-span-2"
      >
        <UserFilter
          label="Actor"
          className={control}
          value={filter.actor}
          onChange={(actor) => onChange({ actor })}
          onInvalid={setInvalidText}
        />
        <UserFilter
          label="About"
          className={control}
          value={filter.subject}
          onChange={(subject) => onChange({ subject })}
          onInvalid={setInvalidText}
        />
        <Labelled label="Action">
          {(id) => (
            <select
              id={id}
              value={action ?? ''}
              onChange={(event) => onChange({ action: event.target.value || null })}
              className={control}
            >
              <option value="">All actions</option>
              {isKnown ? null : <option value={action}>{actionLabel(action)}</option>}
              {Object.entries(actionGroups).map(([group, actions]) => (
                <optgroup key={group} label={group}>
                  {Object.entries(actions).map(([name, label]) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        </Labelled>
        {(['from', 'to'] as const).map((end) => (
          <Labelled key={end} label={end === 'from' ? 'From' : 'To'}>
            {(id) => (
              <input
                id={id}
                type="date"
                max="9999-12-31"
                value={filter[end] ?? ''}
                onChange={(event) => onChange({ [end]: event.target.value || null })}
                className={`${control} figures`}
              />
            )}
          </Labelled>
        ))}
        <IdFilter
          label="Object"
          value={filter.object}
          onChange={(object) => onChange({ object })}
          onInvalid={setInvalidText}
        />
        <IdFilter
          label="Request"
          value={filter.request}
          onChange={(request) => onChange({ request })}
          onInvalid={setInvalidText}
        />
      </div>
      <div className="flex min-h-7 flex-wrap items-center gap-3 text-12 max-md:min-h-11">
        <p role="status" className={invalidText === null ? 'text-text-2' : 'text-down'}>
          {invalidText ?? result}
        </p>
        {isFiltered(filter) || invalidText !== null ? (
          <Button
            size="compact"
            tone="quiet"
            onClick={() => {
              setInvalidText(null);
              setClearings(clearings + 1);
              onClear();
            }}
          >
            Clear filters
          </Button>
        ) : null}
        <span className="ml-auto flex flex-wrap items-center gap-3">{children}</span>
      </div>
    </search>
  );
}
