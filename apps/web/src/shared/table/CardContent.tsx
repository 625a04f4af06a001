/** The content of a row's card on a phone, at the places that the columns declare. */
import { Skeleton } from '../ui/index.ts';
import type { CardSlot, Column } from './columns.ts';

const cardRows = [1, 2, 3, 4] as const;

interface CardContentProps<Row, Sort extends string> {
  readonly row: Row;
  readonly columns: readonly Column<Row, Sort>[];
}

export function CardContent<Row, Sort extends string>({ row, columns }: CardContentProps<Row, Sort>) {
  const cells = columns
    .map(({ head, card, cell, cardCell = cell, cardLabel = head }) => ({
      head,
      slot: card,
      label: cardLabel,
      content: card === undefined ? null : cardCell(row),
    }))
    .filter(({ content }) => content !== null);
  const at = (slot: CardSlot, className: string) =>
    cells
      .filter((cell) => cell.slot === slot)
      .map(({ head, content }) => (
        <span key={head} className={className}>
          {content}
        </span>
      ));
  const lines = cells.filter(({ slot }) => slot === 'line' || slot === 'wide line');
  return (
    <>
      <div className="flex min-w-0 grow flex-col gap-0.5">
        {cardRows.map((number) => {
          const parts = [
            ...at(`${number} start`, number === 1 ? 'min-w-0' : 'min-w-0 truncate'),
            ...at(`${number} end`, 'ml-auto flex shrink-0 items-center'),
          ];
          return parts.length === 0 ? null : (
            <div
              key={number}
              className={`flex items-center gap-3 ${number === 1 ? 'text-14' : 'text-12 text-text-2'}`}
            >
              {parts}
            </div>
          );
        })}
        {lines.length === 0 ? null : (
          <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-12 text-text-2">
            {lines.map(({ head, slot, label, content }) => (
              <div
                key={head}
                className={`flex min-w-0 items-baseline gap-1.5 ${slot === 'wide line' ? 'basis-full' : ''}`}
              >
                <dt className={`shrink-0 text-text-3 ${slot === 'wide line' ? 'w-14' : ''}`}>{label}</dt>
                <dd className="figures min-w-0 wrap-anywhere">{content}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {at('edge', 'shrink-0')}
    </>
  );
}

/** Cards in their final height while they load. */
export function CardPlaceholders({ height }: { readonly height: number }) {
  return ['a', 'b', 'c', 'd', 'e'].map((card) => (
    <div
      key={card}
      style={{ height }}
      className="flex flex-col justify-center gap-2.5 border-b border-line/65 px-4 last:border-b-0"
    >
      <Skeleton className="h-3.5 w-1/2" />
      <Skeleton className="h-3.5 w-4/5" />
      {height < 100 ? null : <Skeleton className="h-3 w-2/5" />}
    </div>
  ));
}
