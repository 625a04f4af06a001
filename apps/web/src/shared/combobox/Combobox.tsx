/** The parts of a combobox (`useCombobox`): its field, its listbox and the options, with their roles. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import type { Combobox } from './useCombobox.ts';

interface ComboboxFieldProps extends ComponentProps<'input'> {
  readonly combobox: Pick<Combobox<never>, 'listId' | 'activeId'>;
  readonly label: string;
  /** Whether the options are shown. */
  readonly expanded?: boolean;
}

export const ComboboxField = ({ combobox, label, expanded = true, ...input }: ComboboxFieldProps) => (
  <input
    type="text"
    role="combobox"
    aria-label={label}
    aria-expanded={expanded}
    aria-controls={combobox.listId}
    aria-activedescendant={expanded ? combobox.activeId : undefined}
    aria-autocomplete="list"
    autoComplete="off"
    spellCheck={false}
    {...input}
  />
);

interface ListboxProps extends ComponentProps<'div'> {
  readonly combobox: Pick<Combobox<never>, 'listId' | 'list'>;
  readonly label: string;
}

export const Listbox = ({ combobox, label, ...list }: ListboxProps) => (
  <div {...list} ref={combobox.list} id={combobox.listId} role="listbox" aria-label={label} />
);

interface ListboxOptionProps<Item> {
  readonly combobox: Pick<Combobox<Item>, 'toOptionId' | 'point'>;
  readonly item: Item;
  readonly isSelected: boolean;
  readonly onChoose: (event: MouseEvent) => void;
  readonly className: string;
  readonly children: ReactNode;
}

/** The pointer makes it the active option. */
export const ListboxOption = <Item,>({
  combobox,
  item,
  isSelected,
  onChoose,
  className,
  children,
}: ListboxOptionProps<Item>) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field move and choose
  <div
    id={combobox.toOptionId(item)}
    role="option"
    // Not in the order of Tab: the focus stays in the field, which names the active option.
    tabIndex={-1}
    aria-selected={isSelected}
    onClick={onChoose}
    onPointerMove={() => combobox.point(item)}
    className={className}
  >
    {children}
  </div>
);
