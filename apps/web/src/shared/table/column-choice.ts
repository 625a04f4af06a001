/**
 * Which columns of a table the user shows. A column with a `choice` can be hidden or shown; the others always stand there. What
 * is stored is the difference from a table's default, so a column that a later version adds appears as its author meant it.
 * `columnsSetting` takes the choices into every browser of the user.
 */
import { createStoredSetting } from '../user-settings/index.ts';
import type { ChoosableColumn, ColumnChoice } from './columns.ts';

type Choices = Record<string, ColumnChoice>;

const entriesMax = 32;

const entriesOf = (stored: unknown): readonly (readonly [string, unknown])[] =>
  typeof stored === 'object' && stored !== null ? Object.entries(stored).slice(0, entriesMax) : [];

export const parseColumnChoice = (stored: unknown): ColumnChoice =>
  Object.fromEntries(
    entriesOf(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
  );

const choices = createStoredSetting<Choices>({
  key: 'columns',
  storageKey: 'fulcrum-columns',
  parse: (stored) =>
    Object.fromEntries(entriesOf(stored).map(([table, choice]) => [table, parseColumnChoice(choice)])),
});
export const columnsSetting = choices.setting;

/** The choice with one column shown or hidden; a column at its default has no entry. */
export function withColumn(
  chosen: ColumnChoice,
  { head, choice }: ChoosableColumn,
  isShown: boolean,
): ColumnChoice {
  const { [head]: _, ...others } = chosen;
  return isShown === (choice === 'shown') ? others : { ...others, [head]: isShown };
}

export interface ChosenColumns {
  readonly chosen: ColumnChoice;
  readonly choose: (chosen: ColumnChoice) => void;
}

/** The user's choice for one table, by the table's name. */
export function useColumnChoice(table: string): ChosenColumns {
  const chosen = choices.use()[table] ?? noChoice;
  return { chosen, choose: (next) => choices.set({ ...choices.get(), [table]: next }) };
}
const noChoice: ColumnChoice = {};
