/**
 * The registry of keyboard actions. A screen registers its actions while it is mounted (`useActions`); one listener finds the
 * action of a key press. No action runs while the user types, while a dialog is open, on a repeated key, or with shortcuts
 * switched off (WCAG 2.1.4). Trading actions run only with trading keys on.
 */
import { log } from '../log/log.ts';
import { getPreferences } from '../preferences/index.ts';
import { createKeyReader, keysOf } from './keys.ts';

export const actionGroups = ['General', 'Trading', 'Chart', 'Support'] as const;

export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: (typeof actionGroups)[number];
  /** Alternative keys: `Shift+B`, `/`, or a sequence such as `g d`. */
  readonly keys: readonly string[];
  /** Runs only with trading keys on, with the same confirmation and limits as its button. */
  readonly isTrading?: true;
  /** Runs also while the user types and with shortcuts off; its keys have a modifier. */
  readonly isAlwaysOn?: true;
  readonly perform: () => void;
}

const registered = new Set<() => readonly Action[]>();

/** All registered actions, in order of registration. */
export const registeredActions = (): readonly Action[] => [...registered].flatMap((current) => current());

const fieldSelector =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"], [role="searchbox"]';
/** Elements in which letters search an entry. */
const typeaheadSelector = '[role="menu"], [role="listbox"], [role="dialog"]';
const modalSelector = '[aria-modal="true"]';

/** Whether the focused element or an open dialog handles the key press. */
function isHandledElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return true;
  const { target } = event;
  if (target instanceof Element && target.closest(`${fieldSelector}, ${typeaheadSelector}`)) return true;
  return document.querySelector(modalSelector) !== null;
}

const isEnabled = ({ isTrading }: Action): boolean => {
  const { pageKeys, tradingKeys } = getPreferences();
  return pageKeys && (isTrading === undefined || tradingKeys);
};

const readKey = createKeyReader<Action>();

function onKeyDown(event: KeyboardEvent): void {
  // A modifier alone is the start of a key combination.
  if (isHandledElsewhere(event) || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
  const { ownKeys } = getPreferences();
  const enabled = registeredActions().filter(isEnabled);
  const action = readKey(
    event,
    enabled.map((one) => ({ ...one, keys: keysOf(one, ownKeys) })),
    Date.now(),
  );
  if (!action) return;
  event.preventDefault();
  try {
    action.perform();
  } catch (cause) {
    log.error(`The shortcut of '${action.label}' failed`, cause);
  }
}

/** Registers the actions that `current` returns until the returned function is called. */
export function registerActions(current: () => readonly Action[]): () => void {
  if (registered.size === 0) addEventListener('keydown', onKeyDown);
  registered.add(current);
  return () => {
    registered.delete(current);
    if (registered.size === 0) removeEventListener('keydown', onKeyDown);
  };
}
