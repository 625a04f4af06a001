/**
 * The position and height of each widget of a row at each width. Heights are the same before, during and after
 * loading, so that nothing on the page moves. A phone has one column in the stated order.
 */
import type { ComponentType } from 'react';
import { Skeleton } from '../../../shared/ui/index.ts';
import { WidgetBoundary } from '../../../shared/widget/index.ts';

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-4 max-md:gap-3';

export const rowStyles = {
  market: `${grid} md:grid-cols-2 xl:grid-cols-[minmax(0,442fr)_minmax(0,274fr)_minmax(0,252fr)_minmax(0,376fr)]`,
  tools: `${grid} md:grid-cols-2 xl:grid-cols-4`,
  news: `${grid} md:grid-cols-2 xl:grid-cols-[minmax(0,520fr)_minmax(0,500fr)_minmax(0,340fr)]`,
} as const;

/** A cell's only child fills it. */
const fixed = 'grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]';
/** On a phone its controls are higher: it may grow once, when its code loads. */
const growing = 'grid grid-cols-[minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)]';

export const cellStyles = {
  market: `${fixed} h-[284px]`,
  // Below 1024 px the fields have the height of a touch target.
  tools: `${growing} min-h-[386px] md:h-[430px] lg:h-[386px]`,
  // Below 960 px a card is so narrow that the calendar's events take two lines each.
  news: `${growing} min-h-[384px] md:h-[384px] md:max-[959.98px]:h-[556px]`,
  social: `${growing} min-h-[384px] md:col-span-2 md:min-h-[188px] xl:col-span-1 xl:h-[384px]`,
} as const;

interface CellProps {
  /** The widget's title, shown when the widget fails to render. */
  readonly title: string;
  readonly className: string;
  readonly Content: ComponentType;
}

export function Cell({ title, className, Content }: CellProps) {
  return (
    <div className={className}>
      <WidgetBoundary title={title}>
        <Content />
      </WidgetBoundary>
    </div>
  );
}

/** The widths of the lines of text that a card is about to show. */
const skeletonLines = ['w-full', 'w-5/6', 'w-full', 'w-2/3', 'w-11/12', 'w-3/4'] as const;

/** A card whose code is loading. */
export function CardSkeleton({ className = '' }: { readonly className?: string }) {
  return (
    <div className={className}>
      <div className="panel flex h-full flex-col gap-5 overflow-hidden px-4">
        <div className="flex h-11 shrink-0 items-center">
          <Skeleton className="h-3.5 w-32" />
        </div>
        {skeletonLines.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
          <Skeleton key={index} className={`h-3 shrink-0 ${width}`} />
        ))}
      </div>
    </div>
  );
}
