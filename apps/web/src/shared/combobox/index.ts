export { ComboboxField, Listbox, ListboxOption } from './Combobox.tsx';
export { toOptionId, useCombobox } from './useCombobox.ts';
export { useVisibleRows } from './useVisibleRows.ts';
