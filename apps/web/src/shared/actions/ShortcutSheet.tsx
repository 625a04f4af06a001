/**
 * The keyboard shortcuts of this page, by group, with the switches for shortcuts and for trading keys. The keys of trading actions
 * are changed here, where every other key of the page is known.
 */
import { Fragment, type KeyboardEvent, useMemo, useState } from 'react';
import { setPreference, usePreference } from '../preferences/index.ts';
import { Button, Dialog, Switch } from '../ui/index.ts';
import { type Action, actionGroups, registeredActions } from './actions.ts';
import { Keys } from './Keys.tsx';
import { keysOf } from './keys.ts';
import { chooseKey, withOwnKey } from './own-keys.ts';

interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Staff have no trading keys. */
  readonly about?: 'trading' | 'staff';
}

/** Of two actions with the same id the later one is listed. */
const uniqueById = (actions: readonly Action[]): readonly Action[] => [
  ...new Map(actions.map((action) => [action.id, action])).values(),
];

interface RowProps {
  readonly action: Action;
  readonly keys: readonly string[];
  readonly isOff: boolean;
}

const KeyList = ({ keys }: Pick<RowProps, 'keys'>) =>
  keys.map((one, at) => (
    <Fragment key={one}>
      {at === 0 ? null : <span className="text-11 text-text-2">or</span>}
      <Keys keys={one} />
    </Fragment>
  ));

/** A button that takes the next key press as the action's key; leaving it by Tab or a click changes nothing. */
function KeyChanger({ action, keys, all }: RowProps & { readonly all: readonly Action[] }) {
  const own = usePreference('ownKeys');
  const [listens, setListens] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const stop = () => {
    setListens(false);
    setReason(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!listens) return;
    const choice = chooseKey(event, action, all, own);
    if (choice.kind === 'none') return;
    event.preventDefault();
    if (choice.kind === 'refused') return setReason(choice.reason);
    setPreference('ownKeys', withOwnKey(own, action, choice.stroke));
    stop();
  };
  return (
    <span className="flex flex-col items-end">
      <button
        type="button"
        title="Change the key"
        aria-pressed={listens}
        aria-label={
          listens
            ? `Press the new key of ${action.label}`
            : `Change the key of ${action.label}: ${keys.join(' or ')}`
        }
        onClick={() => (listens ? stop() : setListens(true))}
        onKeyDown={onKeyDown}
        onBlur={stop}
        className={`-mr-1.5 flex min-h-7 items-center gap-2 rounded-control border px-1.5 text-12 transition-colors max-md:min-h-11 ${listens ? 'border-accent bg-accent-weak' : 'border-transparent hover:border-line-strong hover:bg-inset'}`}
      >
        {listens ? 'Press a key' : <KeyList keys={keys} />}
      </button>
      <span role="status" className="text-12 text-down">
        {reason}
      </span>
    </span>
  );
}

function Row({ action, keys, isOff, all }: RowProps & { readonly all: readonly Action[] }) {
  return (
    <li className="flex min-h-8 items-center justify-between gap-4">
      <span className={isOff ? 'text-text-3' : ''}>
        {action.label}
        {isOff ? <span className="sr-only"> (off)</span> : null}
      </span>
      {action.isTrading ? (
        <KeyChanger action={action} keys={keys} isOff={isOff} all={all} />
      ) : (
        <span className="flex items-center gap-2">
          <KeyList keys={keys} />
        </span>
      )}
    </li>
  );
}

function Content({ about }: Pick<SheetProps, 'about'>) {
  const pageKeys = usePreference('pageKeys');
  const tradingKeys = usePreference('tradingKeys');
  const ownKeys = usePreference('ownKeys');
  // The actions registered when the sheet opens; the page below does not change meanwhile.
  const actions = useMemo(() => uniqueById(registeredActions()), []);
  const groups = actionGroups
    .map((group) => ({ group, own: actions.filter((action) => action.group === group) }))
    .filter(({ own }) => own.length > 0);
  return (
    <>
      <div className="flex flex-col gap-1 rounded-control bg-inset px-3 py-2">
        <Switch
          label="Keyboard shortcuts"
          checked={pageKeys}
          onChange={(on) => setPreference('pageKeys', on)}
        />
        {about === 'trading' ? (
          <>
            <Switch
              label="Trading keys"
              checked={tradingKeys}
              onChange={(on) => setPreference('tradingKeys', on)}
            />
            <p className="text-12 text-text-2">
              Trading keys work on the order form and your positions as their buttons do, with the same
              confirmations and limits. They are off until you switch them on, and do not work while you type.
              Press a key in the list to change it.
            </p>
            {Object.keys(ownKeys).length === 0 ? null : (
              <Button size="compact" className="self-start" onClick={() => setPreference('ownKeys', {})}>
                Reset trading keys
              </Button>
            )}
          </>
        ) : (
          <p className="text-12 text-text-2">
            Shortcuts do not work while you type, except the quick search, which is always on.
          </p>
        )}
      </div>
      {groups.map(({ group, own }) => (
        <section key={group} aria-label={group} className="mt-4">
          <h3 className="text-12 font-semibold text-text-2">{group}</h3>
          <ul className="mt-1 divide-y divide-line/65 text-13">
            {own.map((action) => (
              <Row
                key={action.id}
                action={action}
                all={actions}
                keys={keysOf(action, ownKeys)}
                isOff={!action.isAlwaysOn && (!pageKeys || (action.isTrading === true && !tradingKeys))}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

export default function ShortcutSheet({ open, onOpenChange, about = 'trading' }: SheetProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <Content about={about} />
    </Dialog>
  );
}
