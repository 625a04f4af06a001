/**
 * What a key does. A screen names its actions while it is mounted (`useActions`); one listener finds the one that was
 * meant. Nothing acts while somebody types, while a question is open, on a held key, or once the keys are switched off
 * (WCAG 2.1.4); what trades acts only where trading keys are on.
 */
import { log } from '../log/log.ts';
import { preferences } from '../preferences/index.ts';
import { createKeyReader } from './keys.ts';

export const actionGroups = ['General', 'Trading', 'Chart', 'Support'] as const;

export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: (typeof actionGroups)[number];
  /** Any of them: `Shift+B`, `/`, or a sequence such as `g d`. */
  readonly keys: readonly string[];
  /** Acts only while trading keys are switched on; it asks and is blocked as its button is. */
  readonly isTrading?: true;
  /** Its keys act for themselves, while somebody types and when the others are switched off: they carry a modifier. */
  readonly isAlwaysOn?: true;
  readonly perform: () => void;
}

const registered = new Set<() => readonly Action[]>();

/** All that can be done now, by whom it was registered first. */
export const registeredActions = (): readonly Action[] => [...registered].flatMap((current) => current());

const fieldSelector =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"], [role="searchbox"]';
/** Lists where letters find an entry. */
const typedInSelector = '[role="menu"], [role="listbox"], [role="dialog"]';
const modalSelector = '[aria-modal="true"]';

/** Whether a press belongs to what has the focus, or to a question that is open. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return true;
  const { target } = event;
  if (target instanceof Element && target.closest(`${fieldSelector}, ${typedInSelector}`)) return true;
  return document.querySelector(modalSelector) !== null;
}

const mayAct = ({ isTrading }: Action): boolean => {
  const { pageKeys, tradingKeys } = preferences();
  return pageKeys && (isTrading === undefined || tradingKeys);
};

const read = createKeyReader<Action>();

function onKeyDown(event: KeyboardEvent): void {
  // The modifier alone is on its way to a stroke.
  if (isTaken(event) || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
  const action = read(event, registeredActions().filter(mayAct), Date.now());
  if (!action) return;
  event.preventDefault();
  try {
    action.perform();
  } catch (cause) {
    log.error(`The key of '${action.label}' failed`, cause);
  }
}

/** Takes the actions that `current` answers until the returned function is called. */
export function registerActions(current: () => readonly Action[]): () => void {
  if (registered.size === 0) addEventListener('keydown', onKeyDown);
  registered.add(current);
  return () => {
    registered.delete(current);
    if (registered.size === 0) removeEventListener('keydown', onKeyDown);
  };
}
