/** The shape of the market list and the chart, for the page that waits for them and for the row itself. */
import { CardSkeleton } from './places.tsx';

export const chartRowLooks = {
  row: 'grid gap-4 lg:h-[420px] lg:grid-cols-[352px_minmax(0,1fr)]',
  list: 'panel flex h-[360px] min-w-0 flex-col overflow-hidden lg:h-full',
  chart: 'panel flex h-[188px] min-w-0 flex-col overflow-hidden md:h-[420px] lg:h-full',
} as const;

export function ChartRowSkeleton() {
  return (
    <div className={chartRowLooks.row}>
      <CardSkeleton look="h-[360px] lg:h-full" />
      <CardSkeleton look="h-[188px] md:h-[420px] lg:h-full" />
    </div>
  );
}
