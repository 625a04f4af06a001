/** The layout of market list and chart, shared by the page's placeholder and the row itself. */
import { CardSkeleton } from './row-layout.tsx';

export const chartRowStyles = {
  row: 'grid gap-4 lg:h-[420px] lg:grid-cols-[352px_minmax(0,1fr)]',
  list: 'panel flex h-[360px] min-w-0 flex-col overflow-hidden lg:h-full',
  chart: 'panel flex h-[188px] min-w-0 flex-col overflow-hidden md:h-[420px] lg:h-full',
} as const;

export function ChartRowSkeleton() {
  return (
    <div className={chartRowStyles.row}>
      <CardSkeleton className="h-[360px] lg:h-full" />
      <CardSkeleton className="h-[188px] md:h-[420px] lg:h-full" />
    </div>
  );
}
