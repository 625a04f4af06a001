/** The keyboard shortcuts of this page, by group, with the switches for shortcuts and for trading keys. */
import { Fragment, useMemo } from 'react';
import { setPreference, usePreference } from '../preferences/index.ts';
import { Dialog, Switch } from '../ui/index.ts';
import { type Action, actionGroups, registeredActions } from './actions.ts';
import { Keys } from './Keys.tsx';

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

function Row({ action, isOff }: { readonly action: Action; readonly isOff: boolean }) {
  return (
    <li className="flex min-h-8 items-center justify-between gap-4">
      <span className={isOff ? 'text-text-3' : ''}>
        {action.label}
        {isOff ? <span className="sr-only"> (off)</span> : null}
      </span>
      <span className="flex items-center gap-2">
        {action.keys.map((keys, at) => (
          <Fragment key={keys}>
            {at === 0 ? null : <span className="text-11 text-text-2">or</span>}
            <Keys keys={keys} />
          </Fragment>
        ))}
      </span>
    </li>
  );
}

function Content({ about }: Pick<SheetProps, 'about'>) {
  const pageKeys = usePreference('pageKeys');
  const tradingKeys = usePreference('tradingKeys');
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
            </p>
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
