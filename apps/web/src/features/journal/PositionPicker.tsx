/**
 * Chooses the position of an entry: none, an open one or one of the latest closed. A search field over a list; arrow
 * keys walk, Enter selects, Escape closes.
 */
import { texts } from '@fulcrum/contract/texts';
import { useQuery } from '@tanstack/react-query';
import Link2 from 'lucide-react/icons/link-2';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { sideLabel, toNetPnl, useClosedPositions, useOpenPositions } from '../../shared/account/index.ts';
import { ComboboxField, Listbox, ListboxOption, useCombobox } from '../../shared/combobox/index.ts';
import { Pnl } from '../../shared/numbers/index.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, type Position, unwrapOrNull } from '../../shared/supabase/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, ErrorState, IconButton, Popover, Skeleton } from '../../shared/ui/index.ts';
import { findPositions } from './position-search.ts';

function PositionLabel({ position }: { readonly position: Position }) {
  const { symbol, side, leverage, status, createdAt, closedAt } = position;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-medium text-text">{symbol}</span>
      <Badge tone={side === 'BUY' ? 'up' : 'down'}>{`${sideLabel(side)} ${leverage}×`}</Badge>
      {status === 'open' ? <Badge>open</Badge> : <Pnl value={toNetPnl(position)} className="text-12" />}
      <span className="text-12 text-text-2">
        <DateTime iso={closedAt ?? createdAt} />
      </span>
    </span>
  );
}

interface ListProps {
  readonly chosen: string | null;
  readonly onChoose: (positionId: string | null) => void;
}

function PositionList({ chosen, onChoose }: ListProps) {
  const open = useOpenPositions();
  const closed = useClosedPositions();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isRead = open.data !== undefined && closed.data !== undefined;
  const found = findPositions(isRead ? [...open.data, ...closed.data] : [], text);
  const combobox = useCombobox({ items: found, keyOf: ({ id }) => id });
  // The popover sets the focus when it opens; content that loads later must set it itself.
  useEffect(() => {
    if (isRead) field.current?.focus();
  }, [isRead]);
  if (open.data === undefined || closed.data === undefined) {
    if (!open.isError && !closed.isError) {
      return (
        <div aria-busy="true" className="flex w-72 flex-col gap-2">
          {['a', 'b', 'c', 'd'].map((row) => (
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </div>
      );
    }
    const retry = () => Promise.all([open.refetch(), closed.refetch()]);
    return <ErrorState title={texts.fetchPositionsFailed} onRetry={retry} retrying={open.isFetching} />;
  }
  return (
    <div className="w-72">
      <ComboboxField
        combobox={combobox}
        label="Search positions"
        ref={field}
        placeholder="Symbol, long or short, open or closed"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          combobox.setActiveKey(null);
        }}
        onKeyDown={(event) => combobox.onKeyDown(event, (position) => position && onChoose(position.id))}
        className="control h-9 w-full px-3 text-13 max-md:h-11 max-md:text-16"
      />
      <Listbox combobox={combobox} label="Positions" className="mt-2 max-h-64 overflow-y-auto">
        {found.map((position) => (
          <ListboxOption
            key={position.id}
            combobox={combobox}
            item={position}
            isSelected={position.id === chosen}
            onChoose={() => onChoose(position.id)}
            className={`cursor-pointer rounded-control px-2 py-1.5 max-md:min-h-11 ${position === combobox.active ? 'bg-accent-weak' : ''}`}
          >
            <PositionLabel position={position} />
          </ListboxOption>
        ))}
      </Listbox>
      {found.length === 0 ? (
        <p role="status" className="px-2 py-3 text-text-2">
          {text.trim() === '' ? 'There is no position yet.' : `No position matches '${text.trim()}'.`}
        </p>
      ) : null}
    </div>
  );
}

/** A position by its id, for a draft that names one. */
function usePosition(id: string | null, known: Position | null) {
  const { accountId, supabase } = useSignedIn();
  const { data: open } = useOpenPositions();
  const held = known?.id === id ? known : open?.find((position) => position.id === id);
  const query = useQuery({
    queryKey: [...queryKeys.journal(accountId), 'position', id],
    queryFn: async ({ signal }) => {
      const request = supabase.rest
        .from('positions')
        .select('*')
        .eq('user_id', accountId)
        .eq('id', id ?? '');
      const row = await unwrapOrNull(request.abortSignal(signal).maybeSingle());
      return row === null ? null : fromWire(row);
    },
    enabled: id !== null && held === undefined,
  });
  return held ?? query.data;
}

interface PositionPickerProps {
  readonly positionId: string | null;
  /** The position of the saved entry. */
  readonly linked: Position | null;
  readonly onPick: (positionId: string | null) => void;
}

export function PositionPicker({ positionId, linked, onPick }: PositionPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const position = usePosition(positionId, linked);
  const take = (id: string | null) => {
    setOpen(false);
    onPick(id);
  };
  const unknown = position === null ? 'This position cannot be found' : 'Linked position';
  const shown = position ? <PositionLabel position={position} /> : unknown;
  return (
    <div className="flex items-center gap-1">
      <Popover
        label="Link a position"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="flex min-h-9 min-w-0 grow items-center gap-2 rounded-control border border-line px-3 py-1 text-left text-13 text-text-2 hover:border-text-3 hover:text-text max-md:min-h-11"
          >
            <Link2 size={14} aria-hidden="true" className="shrink-0" />
            {positionId === null ? 'Link a position' : shown}
          </button>
        }
      >
        <PositionList chosen={positionId} onChoose={take} />
      </Popover>
      {positionId === null ? null : (
        <IconButton label="Remove the linked position" onClick={() => onPick(null)}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}
