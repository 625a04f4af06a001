/**
 * The quick search of staff: one field over users, positions and pages. Arrow keys select, Enter opens, with Ctrl or Cmd in a
 * new tab. Invariant: Enter acts on the results for the typed text; pressed earlier, it waits for them, so that a name typed in
 * haste never opens another user.
 */

import type { LucideIcon } from 'lucide-react';
import CandlestickChart from 'lucide-react/icons/candlestick-chart';
import Compass from 'lucide-react/icons/compass';
import Mail from 'lucide-react/icons/mail';
import MessagesSquare from 'lucide-react/icons/messages-square';
import Search from 'lucide-react/icons/search';
import { Dialog as Radix } from 'radix-ui';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { Keys } from '../../../shared/actions/index.ts';
import { ComboboxField, Listbox, ListboxOption, useCombobox } from '../../../shared/combobox/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Avatar, Badge, Button, Modal, Spinner } from '../../../shared/ui/index.ts';
import { KycBadge, RestrictedBadge } from '../user/badges.tsx';
import { roleLabels } from '../user-dialogs/index.ts';
import type { EarlyInput } from './EarlyField.tsx';
import { type Entry, groupEntries, resultLabel } from './entries.ts';
import { searchFieldStyles, searchHeadStyles, searchPanelStyles } from './panel-styles.ts';
import { useQuickSearchResults } from './useQuickSearchResults.ts';
import { verbLabel } from './verbs.ts';

const searchMax = 100;
/** Whether the modifier keys open a link in a new tab. */
const opensNewTab = ({ ctrlKey, metaKey }: { readonly ctrlKey: boolean; readonly metaKey: boolean }) =>
  ctrlKey || metaKey;

const iconClass = 'grid size-7 shrink-0 place-items-center rounded-control bg-inset text-text-2';

const contactStatusLabels = { new: 'New', read: 'Read', replied: 'Replied', archived: 'Archived' } as const;

interface FoundProps {
  readonly Icon: LucideIcon;
  readonly title: ReactNode;
  readonly detail: string;
  readonly badge: string;
}

const Found = ({ Icon, title, detail, badge }: FoundProps) => (
  <>
    <span aria-hidden="true" className={iconClass}>
      <Icon size={15} />
    </span>
    <span className="min-w-0 grow">
      <span className="block truncate font-medium">{title}</span>
      <span className="figures block truncate text-12 text-text-2">{detail}</span>
    </span>
    <Badge>{badge}</Badge>
  </>
);

function EntryContent({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case 'user': {
      const { user, verb } = entry;
      const { username, email, role, manager, kyc_status: kyc, restricted_at: since } = user;
      return (
        <>
          <Avatar username={username} />
          <span className="min-w-0 grow">
            <span className="block truncate font-medium">
              <bdi>{username}</bdi>
            </span>
            <span className="block truncate text-12 text-text-2">{email}</span>
          </span>
          {verb === null ? null : <span className="shrink-0 font-medium">{verbLabel(verb, user)}</span>}
          <span className="flex shrink-0 items-center gap-1.5 text-12 text-text-2 max-md:hidden">
            {manager === null ? null : <span className="max-w-32 truncate">{manager}</span>}
            <RestrictedBadge since={since} />
            {role === 'trader' && kyc === 'pending' ? <KycBadge status={kyc} /> : null}
            <Badge>{roleLabels[role]}</Badge>
          </span>
        </>
      );
    }
    case 'position': {
      const { symbol, side, username, id } = entry.position;
      return (
        <Found
          Icon={CandlestickChart}
          title={
            <>
              {symbol} {side} of <bdi>{username}</bdi>
            </>
          }
          detail={`${entry.opened} · ${id}`}
          badge={entry.position.status === 'open' ? 'Open' : 'Closed'}
        />
      );
    }
    case 'chat':
      return (
        <Found
          Icon={MessagesSquare}
          title={
            <>
              Chat of <bdi>{entry.chat.username}</bdi>
            </>
          }
          detail={`${entry.opened} · ${entry.chat.id}`}
          badge={entry.chat.status === 'open' ? 'Open' : 'Closed'}
        />
      );
    case 'message':
      return (
        <Found
          Icon={Mail}
          title={<bdi>{entry.message.subject}</bdi>}
          detail={`${entry.message.name}, ${entry.opened} · ${entry.message.id}`}
          badge={contactStatusLabels[entry.message.status]}
        />
      );
    case 'page':
      return (
        <>
          <span aria-hidden="true" className={iconClass}>
            <Compass size={15} />
          </span>
          <span className="min-w-0 grow truncate font-medium">{entry.page.title}</span>
          <span className="shrink-0 text-12 text-text-3">{entry.page.section}</span>
        </>
      );
  }
}

function KeyHints() {
  return (
    <div
      aria-hidden="true"
      className="flex items-center gap-4 border-t border-line px-4 py-2 text-11 text-text-3 max-md:hidden pointer-coarse:hidden"
    >
      <span className="flex items-center gap-1.5">
        <Keys keys="↑" />
        <Keys keys="↓" /> choose
      </span>
      <span className="flex items-center gap-1.5">
        <Keys keys="Enter" /> open
      </span>
      <span className="flex items-center gap-1.5">
        <Keys keys="Control+Enter" /> open in a new tab
      </span>
      <span className="ml-auto flex items-center gap-1.5">
        <Keys keys="Esc" /> close
      </span>
    </div>
  );
}

interface QuickSearchProps {
  readonly onClose: () => void;
  /** What was typed while the code loaded. */
  readonly early: EarlyInput;
  /** Called when the field has the focus and the typed text. */
  readonly onReady: () => void;
  /** Gets the focus back. */
  readonly opener: Element | null;
}

function SearchPanel({
  onClose,
  onGone,
  early,
  onReady,
}: QuickSearchProps & { readonly onGone: () => void }) {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [enter, setEnter] = useState<'here' | 'elsewhere' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  // In the commit that shows the field: no key comes in between.
  useLayoutEffect(() => {
    caret.current = early.text === '' ? null : (early.field?.selectionStart ?? null);
    setText(early.text);
    setEnter(early.enter);
    field.current?.focus({ preventScroll: true });
    onReady();
  }, [early, onReady]);
  useLayoutEffect(() => {
    if (caret.current === null || text === '') return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);
  const { found, isCurrent, isReading, hasFailed, retry } = useQuickSearchResults(text);
  const groups = groupEntries(user.role, text, found);
  const entries = groups.flatMap((group) => group.entries);
  const combobox = useCombobox({ items: entries, keyOf: ({ id }) => id });
  const { active, listId } = combobox;

  const go = (entry: Entry, destination: 'here' | 'elsewhere') => {
    if (destination === 'elsewhere') {
      window.open(entry.to, '_blank', 'noopener');
      return;
    }
    onGone();
    onClose();
    void navigate(entry.to);
  };
  // A failed search has no results; a second Enter opens one of the pages still listed.
  const isSettled = isCurrent || hasFailed;
  useEffect(() => {
    if (enter === null || !isSettled) return;
    setEnter(null);
    if (active && !hasFailed) go(active, enter);
  });
  const type = (next: string) => {
    setText(next);
    combobox.setActiveKey(null);
    setEnter(null);
  };
  const onKeyDown = (event: KeyboardEvent) =>
    combobox.onKeyDown(event, (entry) => {
      const destination = opensNewTab(event) ? 'elsewhere' : 'here';
      if (isSettled && entry) go(entry, destination);
      else setEnter(destination);
    });
  const onClick = (entry: Entry) => (event: MouseEvent) => {
    event.preventDefault();
    go(entry, opensNewTab(event) ? 'elsewhere' : 'here');
  };
  const isNothing = isCurrent && entries.length === 0;

  return (
    <>
      <div className={searchHeadStyles}>
        {isReading && text.trim() !== '' ? (
          <Spinner size={16} />
        ) : (
          <Search size={16} aria-hidden="true" className="shrink-0 text-text-3" />
        )}
        <ComboboxField
          ref={field}
          combobox={combobox}
          label="Search users, positions and pages"
          expanded={entries.length > 0}
          value={text}
          maxLength={searchMax}
          placeholder={
            user.role === 'support'
              ? 'Name or email of a trader in your chats'
              : user.role === 'admin'
                ? 'Name, email, phone, id, or “funds name”'
                : 'Name, email, user or position id'
          }
          autoCapitalize="off"
          enterKeyHint="go"
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          className={searchFieldStyles}
        />
        <Radix.Close asChild>
          <Button tone="quiet" size="compact">
            Close
          </Button>
        </Radix.Close>
      </div>
      <p role="status" className="sr-only">
        {text.trim() === '' || !isCurrent ? '' : resultLabel(groups)}
      </p>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain p-2">
        {hasFailed ? (
          <div role="alert" className="flex items-center gap-3 px-2 py-2 text-13 text-down">
            Searching users failed.
            <Button
              size="compact"
              pending={isReading}
              onClick={() => {
                retry().catch((cause: unknown) => log.error('Searching again failed', cause));
              }}
            >
              Retry
            </Button>
          </div>
        ) : null}
        {isNothing ? (
          <p className="px-2 py-6 text-center text-13 text-text-2">
            {user.role === 'admin'
              ? 'No results'
              : user.role === 'manager'
                ? 'No matching users or positions'
                : 'No matching conversations'}
          </p>
        ) : null}
        <Listbox combobox={combobox} label="Found" aria-busy={!isSettled || undefined}>
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no group of fields
            <div key={group.title} role="group" aria-labelledby={`${listId}-${group.title}`}>
              <div
                id={`${listId}-${group.title}`}
                role="presentation"
                className="px-2 pt-2 pb-1 text-11 font-medium text-text-3"
              >
                {group.title}
              </div>
              {group.entries.map((entry) => (
                <ListboxOption
                  key={entry.id}
                  combobox={combobox}
                  item={entry}
                  isSelected={entry === active}
                  onChoose={onClick(entry)}
                  className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 py-1 text-13 ${entry === active ? 'bg-accent-weak' : ''} ${entry.kind !== 'page' && !isCurrent ? 'opacity-60' : ''}`}
                >
                  <EntryContent entry={entry} />
                </ListboxOption>
              ))}
            </div>
          ))}
        </Listbox>
      </div>
      <KeyHints />
    </>
  );
}

export default function QuickSearch(props: QuickSearchProps) {
  const { onClose, opener } = props;
  const isGone = useRef<boolean>(false);
  return (
    <Modal
      onOpenChange={(isOpen) => isOpen || onClose()}
      aria-describedby={undefined}
      // The field took it already.
      onOpenAutoFocus={(event) => event.preventDefault()}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        // The new page has the focus, or a dialog that opened there.
        if (isGone.current && document.querySelector('[aria-modal=true]')) return;
        const back = isGone.current || !opener?.isConnected ? null : opener;
        const to = back ?? document.getElementById('content');
        if (to instanceof HTMLElement) to.focus({ preventScroll: true });
      }}
      className={`rise ${searchPanelStyles} z-50`}
    >
      <Radix.Title className="sr-only">Quick search</Radix.Title>
      <SearchPanel
        {...props}
        onGone={() => {
          isGone.current = true;
        }}
      />
    </Modal>
  );
}
