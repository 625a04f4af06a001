/** Which of how many rows are shown, and the way to the others. The buttons stay where they are at both ends. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { PageStep } from './PageStep.tsx';

export interface PagerProps {
  /** Of whom or what: "Next page of orders". */
  readonly what: string;
  /** From 1. */
  readonly page: number;
  readonly pageRows: number;
  readonly total: number;
  /** There are more than were counted. */
  readonly isMore?: boolean;
  readonly onPage: (page: number) => void;
}

const whole = (count: number): string => formatFigure(count, 0);

/** `1–50 of 1,234`; `12 orders` where they fit on one page. */
export function rangeWords({
  what,
  page,
  pageRows,
  total,
  isMore = false,
}: Omit<PagerProps, 'onPage'>): string {
  const all = `${whole(total)}${isMore ? '+' : ''}`;
  if (total <= pageRows && page === 1) return `${whole(total)} ${what}`;
  const first = (page - 1) * pageRows + 1;
  return first > total
    ? `None of ${all}`
    : `${whole(first)}–${whole(Math.min(total, page * pageRows))} of ${all}`;
}

export function Pager({ onPage, ...props }: PagerProps) {
  const { what, page, pageRows, total } = props;
  const last = Math.max(1, Math.ceil(total / pageRows));
  const to = (page: number) => (page < 1 || page > last ? null : () => onPage(page));
  return (
    <div className="flex items-center gap-1">
      <span role="status" className="figures mr-1 text-12 text-text-2">
        {rangeWords(props)}
      </span>
      {last > 1 || page > 1 ? (
        <>
          <PageStep
            label={`Previous page of ${what}`}
            Icon={ChevronLeft}
            onStep={to(Math.min(page - 1, last))}
          />
          <PageStep label={`Next page of ${what}`} Icon={ChevronRight} onStep={to(page + 1)} />
        </>
      ) : null}
    </div>
  );
}
