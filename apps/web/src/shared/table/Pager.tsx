/** The range of the shown rows, and buttons to the other pages. The buttons stay in place at both ends. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { formatFigure } from '../numbers/index.ts';
import { PageButton } from './PageButton.tsx';

export interface PagerProps {
  /** The rows' name: "Next page of orders". */
  readonly what: string;
  /** The name of a single row: "1 order". */
  readonly one: string;
  /** From 1. */
  readonly page: number;
  readonly pageRows: number;
  readonly total: number;
  /** Whether there are more rows than counted. */
  readonly isMore?: boolean;
  readonly onPage: (page: number) => void;
}

const formatCount = (count: number): string => formatFigure(count, 0);

/** `1–50 of 1,234`; `12 orders` where one page holds them all. */
export function rangeLabel({
  what,
  one,
  page,
  pageRows,
  total,
  isMore = false,
}: Omit<PagerProps, 'onPage'>): string {
  const all = `${formatCount(total)}${isMore ? '+' : ''}`;
  if (total <= pageRows && page === 1) return `${formatCount(total)} ${total === 1 && !isMore ? one : what}`;
  const first = (page - 1) * pageRows + 1;
  return first > total
    ? `None of ${all}`
    : `${formatCount(first)}–${formatCount(Math.min(total, page * pageRows))} of ${all}`;
}

export function Pager({ onPage, ...props }: PagerProps) {
  const { what, page, pageRows, total } = props;
  const last = Math.max(1, Math.ceil(total / pageRows));
  const to = (page: number) => (page < 1 || page > last ? null : () => onPage(page));
  return (
    <div className="flex items-center gap-1">
      <span role="status" className="figures mr-1 text-12 text-text-2">
        {rangeLabel(props)}
      </span>
      {last > 1 || page > 1 ? (
        <>
          <PageButton
            label={`Previous page of ${what}`}
            Icon={ChevronLeft}
            onPress={to(Math.min(page - 1, last))}
          />
          <PageButton label={`Next page of ${what}`} Icon={ChevronRight} onPress={to(page + 1)} />
        </>
      ) : null}
    </div>
  );
}
