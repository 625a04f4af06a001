/** What the audit log is narrowed to. Each filter acts when it is left or confirmed with Enter; one that names nothing says so. */

import { isUuid } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Button, IconButton } from '../../../shared/ui/index.ts';
import { type AuditFilter, auditKeys, findPerson } from './acts.ts';
import { isFiltered } from './address.ts';
import { actionGroups, actionWord } from './words.ts';

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

interface TextFilterProps {
  readonly label: string;
  readonly placeholder: string;
  /** What the filter is set to, in words. */
  readonly value: string;
  readonly invalid: boolean;
  /** Empty: without the filter. */
  readonly onCommit: (text: string) => void;
}

function TextFilter({ label, placeholder, value, invalid, onCommit }: TextFilterProps) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const commit = () => {
    const text = draft.trim();
    if (text !== value) onCommit(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') setDraft(value);
  };
  return (
    <Labelled label={label}>
      {(id) => (
        <div className="relative">
          <input
            id={id}
            value={draft}
            placeholder={placeholder}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={invalid || undefined}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={commit}
            onKeyDown={onKeyDown}
            className={`${control} pr-8 max-md:pr-11`}
          />
          {value === '' ? null : (
            <IconButton
              label={`Clear ${label.toLowerCase()}`}
              onClick={() => onCommit('')}
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

interface FilterProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Why the text is not taken; null when it is. */
  readonly onRefused: (why: string | null) => void;
}

const lookUpMs = 10_000;

/** By username, email or id; in the address stands the id. */
function PersonFilter({ label, value, onChange, onRefused }: FilterProps) {
  const supabase = useSupabase();
  const [unknown, setUnknown] = useState('');
  const { data: person } = useQuery({
    queryKey: auditKeys.person(value ?? ''),
    queryFn: ({ signal }) => findPerson(supabase, value ?? '', signal),
    enabled: value !== null,
  });
  const refuse = (text: string, why: string | null) => {
    setUnknown(text);
    onRefused(why);
  };
  /** The look-up that is under way: what is asked after it takes its place, whichever is answered first. */
  const looking = useRef<AbortController | null>(null);
  useEffect(() => () => looking.current?.abort(), []);
  const look = async (text: string) => {
    looking.current?.abort();
    if (text === '' || isUuid(text)) {
      refuse('', null);
      return onChange(text.toLowerCase() || null);
    }
    const stop = new AbortController();
    looking.current = stop;
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(lookUpMs)]);
      const found = await findPerson(supabase, text, signal);
      if (stop.signal.aborted) return;
      if (found === null) return refuse(text, `Nobody has the username or email "${text}".`);
      refuse('', null);
      onChange(found.id);
    } catch (cause) {
      if (stop.signal.aborted) return;
      log.warn('A person could not be looked up', cause);
      refuse(text, `"${text}" could not be looked up. Try again.`);
    }
  };
  const known = person ? person.username : value;
  return (
    <TextFilter
      label={label}
      placeholder="Username, email or id"
      value={value === null ? '' : (known ?? '')}
      invalid={unknown !== ''}
      onCommit={(text) => void look(text)}
    />
  );
}

function IdFilter({ label, value, onChange, onRefused }: FilterProps) {
  const [isRefused, setRefused] = useState(false);
  const take = (text: string) => {
    const isTaken = text === '' || isUuid(text);
    setRefused(!isTaken);
    onRefused(isTaken ? null : `"${text}" is no id.`);
    if (isTaken) onChange(text.toLowerCase() || null);
  };
  return (
    <TextFilter label={label} placeholder="Id" value={value ?? ''} invalid={isRefused} onCommit={take} />
  );
}

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
  readonly onClear: () => void;
  /** What is shown, in a sentence. */
  readonly result: string;
  /** At the right, beneath the filters. */
  readonly children: ReactNode;
}

export function AuditFilters({ filter, onChange, onClear, result, children }: AuditFiltersProps) {
  const [refused, setRefused] = useState<string | null>(null);
  /** With each clearing the fields begin anew, also those whose text was refused and never became a filter. */
  const [clearings, setClearings] = useState(0);
  const { action } = filter;
  const isKnown = action === null || Object.values(actionGroups).some((group) => action in group);
  return (
    <search className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <div
        key={clearings}
        className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-x-3 gap-y-2 max-md:grid-cols-2 max-md:[&>:nth-child(-n+3)]:col-span-2"
      >
        <PersonFilter
          label="Actor"
          value={filter.actor}
          onChange={(actor) => onChange({ actor })}
          onRefused={setRefused}
        />
        <PersonFilter
          label="About"
          value={filter.subject}
          onChange={(subject) => onChange({ subject })}
          onRefused={setRefused}
        />
        <Labelled label="Act">
          {(id) => (
            <select
              id={id}
              value={action ?? ''}
              onChange={(event) => onChange({ action: event.target.value || null })}
              className={control}
            >
              <option value="">All acts</option>
              {isKnown ? null : <option value={action}>{actionWord(action)}</option>}
              {Object.entries(actionGroups).map(([group, actions]) => (
                <optgroup key={group} label={group}>
                  {Object.entries(actions).map(([name, word]) => (
                    <option key={name} value={name}>
                      {word}
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
          onRefused={setRefused}
        />
        <IdFilter
          label="Request"
          value={filter.request}
          onChange={(request) => onChange({ request })}
          onRefused={setRefused}
        />
      </div>
      <div className="flex min-h-7 flex-wrap items-center gap-3 text-12 max-md:min-h-11">
        <p role="status" className={refused === null ? 'text-text-2' : 'text-down'}>
          {refused ?? result}
        </p>
        {isFiltered(filter) || refused !== null ? (
          <Button
            size="compact"
            tone="quiet"
            onClick={() => {
              setRefused(null);
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
