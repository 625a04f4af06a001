/** A ranking that is read from the last row of a room: its size follows the screen, two columns from eleven rows on. */
import { type Direction, directionOf, formatFigure } from '../../shared/numbers/index.ts';

export interface BoardRow {
  readonly id: string;
  /** Null for an entrant who is not ranked. */
  readonly rank: number | null;
  readonly name: string;
  /** What stands there where names are hidden. */
  readonly alias: string;
  /** Per cent. */
  readonly returnPct: number;
}

export const boardRowsMax = 20;
const rowsOfColumn = 10;

const tones: Readonly<Record<Direction, string>> = { up: 'text-up', down: 'text-down', none: '' };

interface BoardProps {
  readonly label: string;
  readonly rows: readonly BoardRow[];
  readonly showsNames: boolean;
}

export function Board({ label, rows, showsNames }: BoardProps) {
  const isWide = rows.length > rowsOfColumn;
  return (
    <ol
      aria-label={label}
      className={`grid min-h-0 grow auto-rows-fr gap-x-[3vw] max-md:overflow-y-auto md:grid-flow-col md:grid-rows-10 ${isWide ? 'md:grid-cols-2' : 'md:grid-cols-1'}`}
    >
      {rows.map(({ id, rank, name, alias, returnPct }) => (
        <li
          key={id}
          className="flex min-h-10 items-center gap-[1.2vw] border-b border-line text-[clamp(16px,min(3.8vh,2.3vw),200px)] leading-tight"
        >
          <span className="figures w-[2.4em] shrink-0 text-right text-text-2">{rank ?? '–'}</span>
          <bdi className="min-w-0 grow truncate font-semibold">{showsNames ? name : alias}</bdi>
          <span
            className={`figures shrink-0 font-semibold whitespace-nowrap ${tones[directionOf(returnPct, 2)]}`}
          >
            {directionOf(returnPct, 2) === 'up' ? '+' : ''}
            {formatFigure(returnPct, 2)} %
          </span>
        </li>
      ))}
    </ol>
  );
}
