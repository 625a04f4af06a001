/**
 * Filters by a user. Two typed letters list the users that match; Enter takes the marked one, or the user with exactly that
 * name, email or id. The address stores the id, so a deleted account is found by its id.
 */
import { isUuid } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { ComboboxField, Listbox, ListboxOption, useCombobox } from '../../../shared/combobox/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { useDebouncedValue } from '../../../shared/time/useDebouncedValue.ts';
import { IconButton } from '../../../shared/ui/index.ts';
import { auditKeys, findUser, type SuggestedUser, suggestedFrom, suggestUsers } from './audit-entries.ts';

interface UserFilterProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Called with the reason why the text is invalid; null when it is valid. */
  readonly onInvalid: (reason: string | null) => void;
  readonly className: string;
}

const lookUpTimeoutMs = 10_000;
const debounceMs = 150;
const noUsers: readonly SuggestedUser[] = [];

function useSuggestions(text: string): readonly SuggestedUser[] {
  const supabase = useSupabase();
  const settled = useDebouncedValue(text.trim(), debounceMs);
  const isEnough = settled.length >= suggestedFrom;
  const { data } = useQuery({
    queryKey: auditKeys.suggestions(settled),
    queryFn: ({ signal }) => suggestUsers(supabase, settled, signal),
    enabled: isEnough,
  });
  // Enter never takes a user who was found for an earlier text.
  return isEnough && text.trim() === settled ? (data ?? noUsers) : noUsers;
}

export function UserFilter({ label, value, onChange, onInvalid, className }: UserFilterProps) {
  const supabase = useSupabase();
  const id = useId();
  const { data: user } = useQuery({
    queryKey: auditKeys.user(value ?? ''),
    queryFn: ({ signal }) => findUser(supabase, value ?? '', signal),
    enabled: value !== null,
  });
  const shown = value === null ? '' : (user?.username ?? value);
  const [draft, setDraft] = useState(shown);
  useEffect(() => setDraft(shown), [shown]);
  const [isOpen, setOpen] = useState(false);
  const [isInvalid, setInvalid] = useState(false);
  const suggestions = useSuggestions(isOpen ? draft : '');
  const combobox = useCombobox({ items: suggestions, keyOf: (one) => one.id });
  const isListed = isOpen && suggestions.length > 0;

  const report = (reason: string | null) => {
    setInvalid(reason !== null);
    onInvalid(reason);
  };
  const choose = (chosen: string | null) => {
    setOpen(false);
    report(null);
    onChange(chosen);
  };
  /** The running look-up. A newer one aborts it, so that the latest input wins. */
  const lookUp = useRef<AbortController | null>(null);
  useEffect(() => () => lookUp.current?.abort(), []);
  const commit = async () => {
    const text = draft.trim();
    setOpen(false);
    lookUp.current?.abort();
    if (text === shown) return report(null);
    if (text === '' || isUuid(text)) return choose(text.toLowerCase() || null);
    const controller = new AbortController();
    lookUp.current = controller;
    try {
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(lookUpTimeoutMs)]);
      const found = await findUser(supabase, text, signal);
      if (controller.signal.aborted) return;
      if (found === null)
        return report(`No user has the username or email "${text}". Choose a user from the list.`);
      choose(found.id);
    } catch (cause) {
      if (controller.signal.aborted) return;
      log.warn('Looking up a user failed', cause);
      report(`Looking up "${text}" failed. Try again.`);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setOpen(false);
      setDraft(shown);
    }
    if (event.key === 'Enter' && !isListed) void commit();
    if (!isListed) return;
    combobox.onKeyDown(event, (marked) => {
      // A name that is typed out is meant, whatever is marked.
      const exact = suggestions.find(({ username }) => username.toLowerCase() === draft.trim().toLowerCase());
      const chosen = exact ?? marked;
      if (chosen !== undefined) choose(chosen.id);
    });
  };
  return (
    <div className="relative flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-11 font-medium text-text-2">
        {label}
      </label>
      <div className="relative">
        <ComboboxField
          id={id}
          combobox={combobox}
          label={label}
          expanded={isListed}
          value={draft}
          placeholder="Username, email or id"
          maxLength={254}
          aria-invalid={isInvalid || undefined}
          onChange={({ target }) => {
            setDraft(target.value);
            setOpen(true);
            combobox.setActiveKey(null);
          }}
          onBlur={() => void commit()}
          onKeyDown={onKeyDown}
          className={`${className} pr-8 max-md:pr-11`}
        />
        {value === null ? null : (
          <IconButton
            label={`Clear ${label.toLowerCase()}`}
            onClick={() => choose(null)}
            className="absolute inset-y-0 right-0 max-md:size-11"
          >
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {isListed ? (
        <Listbox
          combobox={combobox}
          label={`Users for ${label.toLowerCase()}`}
          // The field keeps the focus, so a press is no blur.
          onMouseDown={(event) => event.preventDefault()}
          className="absolute top-full right-0 left-0 z-20 mt-1 max-h-72 min-w-56 overflow-y-auto rounded-control border border-line-strong bg-raised p-1 shadow-raised"
        >
          {suggestions.map((one) => (
            <ListboxOption
              key={one.id}
              combobox={combobox}
              item={one}
              isSelected={one === combobox.active}
              onChoose={() => choose(one.id)}
              className={`flex min-h-9 cursor-pointer flex-col justify-center rounded-control px-2 py-0.5 max-md:min-h-11 ${one === combobox.active ? 'bg-accent-weak' : ''}`}
            >
              <bdi className="truncate text-12 font-medium">{one.username}</bdi>
              <span className="truncate text-11 text-text-3">{one.email}</span>
            </ListboxOption>
          ))}
        </Listbox>
      ) : null}
    </div>
  );
}
