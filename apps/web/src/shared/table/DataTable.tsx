/**
 * A data table from one list of columns: a sortable head, cells, placeholders while it loads and, on a phone, a card for each
 * row. Without a column that has a place on the card it stays a table there. An empty or failed read shows in the rows' place;
 * rows of the previous page are dimmed. Columns to choose, selection, the current row, opened rows and frozen rows (`useRowFreeze`) are options.
 *
 * A row renders again when the row, its marks, the columns or a callback change: a table of live rows memoizes the last two.
 *
 * Known limitation: every row is in the document, so a table reads its rows in pages.
 */
import { type MouseEvent, memo, type ReactNode, useMemo } from 'react';
import { ReadError, SkeletonRows, Table, Td, Th, Tr, usePhone } from '../ui/index.ts';
import { CardContent, CardPlaceholders } from './CardContent.tsx';
import { type Column, type ColumnChoice, isColumnShown, type Reading, type RowSelection } from './columns.ts';
import { SelectBox } from './SelectBox.tsx';
import { SortHead } from './SortHead.tsx';
import type { Sorted } from './sort.ts';
import type { Identified, RowFreeze } from './useFrozenRows.ts';

export interface DataTableProps<Row extends Identified, Sort extends string = never> {
  /** For screen readers: what the rows are and their order. */
  readonly caption: string;
  readonly columns: readonly Column<Row, Sort>[];
  /** Which of the columns with a `choice` are shown, where that differs from their default. */
  readonly chosen?: ColumnChoice;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly reading: Reading;
  /** `Failed to load orders`. */
  readonly failed: string;
  /** In place of no rows. */
  readonly empty: ReactNode;
  readonly sorted?: Sorted<Sort>;
  /** Without it the order is fixed. */
  readonly onSort?: (sort: Sort) => void;
  readonly selection?: RowSelection<Row> | undefined;
  /** The row that is shown elsewhere on the page. */
  readonly currentId?: Row['id'] | null;
  /** A press on a row, beside its links and controls. */
  readonly onPress?: (row: Row) => void;
  /** The content beneath an open row; null while it is closed. */
  readonly detail?: (row: Row) => ReactNode;
  readonly freeze?: RowFreeze['handlers'];
  /** The content of a phone card, where the columns' places do not suffice. */
  readonly card?: (row: Row) => ReactNode;
  /** In px. */
  readonly rowHeight?: number;
  /** Of a card's placeholder, in px. */
  readonly cardHeight?: number;
  readonly placeholders?: number;
  /** Classes of the area around rows, placeholders and states. */
  readonly className?: string;
  readonly tableClassName?: string;
  readonly cellClassName?: string;
  readonly listClassName?: string;
  readonly cardClassName?: string;
}

/** A column that stays in view while the table scrolls sideways. */
const pinned = 'sticky right-0 bg-surface';
const marked = '!bg-accent-weak [&_.text-text-3]:text-text-2';
const current = `${marked} shadow-[inset_3px_0_0_var(--accent)]`;

const classesOf = (isSelected: boolean | undefined, isCurrent: boolean): string =>
  `group/row relative ${isCurrent ? current : isSelected ? marked : ''}`;

type RowOptions<Row extends Identified, Sort extends string> = Pick<
  DataTableProps<Row, Sort>,
  'columns' | 'card' | 'onPress' | 'rowHeight' | 'cellClassName' | 'cardClassName'
>;

interface RowProps<Row extends Identified, Sort extends string> extends RowOptions<Row, Sort> {
  readonly row: Row;
  /** Undefined where rows are not selected. */
  readonly isSelected: boolean | undefined;
  readonly selectLabel: string;
  /** Undefined for a row that cannot be selected. */
  readonly onSelect: RowSelection<Row>['mark'] | undefined;
  readonly isCurrent: boolean;
  /** What is beneath an open row. */
  readonly opened: ReactNode;
}

type SelectRowProps<Row extends Identified, Sort extends string> = Pick<
  RowProps<Row, Sort>,
  'row' | 'isSelected' | 'selectLabel' | 'onSelect'
>;

function SelectRow<Row extends Identified, Sort extends string>(props: SelectRowProps<Row, Sort>) {
  const { row, isSelected, selectLabel, onSelect } = props;
  // Its place stays, so that the rows align.
  return onSelect === undefined ? (
    <span className="inline-block size-6 shrink-0 max-md:size-11" />
  ) : (
    <SelectBox
      label={selectLabel}
      state={isSelected ? 'all' : 'none'}
      onChange={() => onSelect([row.id], isSelected ? 'not selected' : 'selected')}
    />
  );
}

/** The press of a row, unless a link or control in it took it. */
function pressOf<Row>(row: Row, onPress: ((row: Row) => void) | undefined) {
  if (onPress === undefined) return;
  return ({ target, currentTarget }: MouseEvent) => {
    // A press in a menu or dialog of the row arrives here too, from outside its element.
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    if (target.closest('a, button, input') === null) onPress(row);
  };
}

function WideRow<Row extends Identified, Sort extends string>(props: RowProps<Row, Sort>) {
  const { row, columns, onPress, rowHeight, cellClassName = '', isSelected, isCurrent, opened } = props;
  const isOpen = opened !== null;
  return (
    <>
      <Tr
        aria-selected={isSelected}
        aria-current={isCurrent || undefined}
        onClick={pressOf(row, onPress)}
        style={{ height: rowHeight }}
        className={`${classesOf(isSelected, isCurrent)} ${onPress ? 'cursor-pointer' : ''} ${isOpen ? 'bg-raised/70' : ''}`}
      >
        {isSelected === undefined ? null : (
          <Td className="!pr-0">
            <SelectRow {...props} />
          </Td>
        )}
        {columns.map(({ head, cell, tooltip, numeric = false, isPinned = false, ...styles }) => (
          <Td
            key={head}
            numeric={numeric}
            title={tooltip?.(row)}
            className={`${cellClassName} ${isPinned ? pinned : ''} ${styles.className ?? ''} ${styles.cellClassName ?? ''}`}
          >
            {cell(row)}
          </Td>
        ))}
      </Tr>
      {isOpen ? (
        <tr className="border-b border-line/65">
          <td
            colSpan={columns.length + (isSelected === undefined ? 0 : 1)}
            className="bg-inset px-[18px] py-4"
          >
            {opened}
          </td>
        </tr>
      ) : null}
    </>
  );
}

function CardRow<Row extends Identified, Sort extends string>(props: RowProps<Row, Sort>) {
  const { row, columns, card, isSelected, isCurrent, opened } = props;
  const { cardClassName = 'border-b border-line/65 px-4 py-2 last:border-b-0' } = props;
  return (
    <li
      aria-current={isCurrent || undefined}
      className={`${classesOf(isSelected, isCurrent)} ${cardClassName}`}
    >
      {card?.(row) ?? (
        <div className="flex gap-1">
          {isSelected === undefined ? null : <SelectRow {...props} />}
          <CardContent row={row} columns={columns} />
        </div>
      )}
      {opened === null ? null : <div className="mt-2 rounded-control bg-inset p-3">{opened}</div>}
    </li>
  );
}

// The types of generic components do not survive `memo`.
const MemoWideRow = memo(WideRow) as typeof WideRow;
const MemoCardRow = memo(CardRow) as typeof CardRow;

type HeadProps<Row extends Identified, Sort extends string> = Pick<
  DataTableProps<Row, Sort>,
  'columns' | 'rows' | 'sorted' | 'onSort' | 'selection'
>;

function SelectAll<Row extends Identified>({
  rows = [],
  selection: { selected, mark, canSelect },
}: {
  readonly rows: readonly Row[] | undefined;
  readonly selection: RowSelection<Row>;
}) {
  const ids = rows.filter((row) => canSelect?.(row) ?? true).map(({ id }) => id);
  const count = ids.filter((id) => selected.has(id)).length;
  const state = count === 0 ? 'none' : count === ids.length ? 'all' : 'some';
  return (
    <Th className="w-11 !pr-0">
      <SelectBox
        label="Select all on this page"
        state={state}
        onChange={() => mark(ids, state === 'all' ? 'not selected' : 'selected')}
      />
    </Th>
  );
}

function Head<Row extends Identified, Sort extends string>({
  columns,
  rows,
  sorted,
  onSort,
  selection,
}: HeadProps<Row, Sort>) {
  return (
    <>
      {selection ? <SelectAll rows={rows} selection={selection} /> : null}
      {columns.map(({ head, sort, numeric = false, isPinned = false, className = '' }) =>
        sort !== undefined && sorted && onSort ? (
          <SortHead
            key={head}
            column={sort}
            label={head}
            sorted={sorted}
            onSort={onSort}
            numeric={numeric}
            className={className}
          />
        ) : (
          <Th
            key={head}
            numeric={numeric}
            className={`${isPinned ? pinned : ''} ${className}`}
            {...(sort !== undefined && sort === sorted?.sort && { 'aria-sort': sorted.order })}
          >
            {isPinned ? <span className="sr-only">{head}</span> : head}
          </Th>
        ),
      )}
    </>
  );
}

function Rows<Row extends Identified, Sort extends string>(props: DataTableProps<Row, Sort>) {
  const { caption, columns, rows, selection, currentId, detail, card, onPress, cardClassName } = props;
  const {
    rowHeight = 36,
    cardHeight = 72,
    placeholders = 10,
    cellClassName = '!text-12 text-text-2',
  } = props;
  const hasCards = card !== undefined || columns.some((column) => column.card !== undefined);
  const isPhone = usePhone() && hasCards;
  if (isPhone && rows === undefined) return <CardPlaceholders height={cardHeight} />;
  const options: RowOptions<Row, Sort> = {
    columns,
    rowHeight,
    cellClassName,
    ...(card && { card }),
    ...(onPress && { onPress }),
    ...(cardClassName !== undefined && { cardClassName }),
  };
  const RowOfLayout = isPhone ? MemoCardRow : MemoWideRow;
  const shown = rows?.map((row) => (
    <RowOfLayout
      key={row.id}
      row={row}
      {...options}
      isSelected={selection?.selected.has(row.id)}
      selectLabel={selection?.label(row) ?? ''}
      onSelect={selection?.canSelect?.(row) === false ? undefined : selection?.mark}
      isCurrent={row.id === currentId}
      opened={detail?.(row) ?? null}
    />
  ));
  if (isPhone) {
    return (
      <ul aria-label={caption} className={props.listClassName}>
        {shown}
      </ul>
    );
  }
  const boxes = selection ? ['16px'] : [];
  return (
    <Table caption={caption} className={props.tableClassName ?? ''} head={<Head {...props} />}>
      {shown ?? (
        <SkeletonRows
          rows={placeholders}
          widths={[...boxes, ...columns.map(({ width }) => width)]}
          numeric={columns.flatMap(({ numeric }, index) => (numeric ? [index + boxes.length] : []))}
          height={rowHeight}
        />
      )}
    </Table>
  );
}

const noChoice: ColumnChoice = {};

export function DataTable<Row extends Identified, Sort extends string = never>(
  props: DataTableProps<Row, Sort>,
) {
  const { columns, chosen = noChoice, rows, reading, failed, empty, freeze, className = '' } = props;
  const { isError, isPlaceholderData = false } = reading;
  // Memoized for the rows, which render again with their columns.
  const shown = useMemo(() => columns.filter((column) => isColumnShown(column, chosen)), [columns, chosen]);
  const content = () => {
    if (rows === undefined && isError) return <ReadError title={failed} reading={reading} />;
    return rows?.length === 0 ? empty : <Rows {...props} columns={shown} />;
  };
  return (
    <div
      {...freeze}
      aria-busy={(rows === undefined && !isError) || isPlaceholderData || undefined}
      className={`overflow-x-auto transition-opacity ${isPlaceholderData ? 'opacity-60' : ''} ${className}`}
    >
      {content()}
    </div>
  );
}
