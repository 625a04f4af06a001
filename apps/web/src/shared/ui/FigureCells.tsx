/** A cell of a grid of figures: term, figure, and a line beneath. */
import { Skeleton } from './states.tsx';

export const figureCell = 'min-w-0 bg-surface px-4 py-3';

interface FigureCellSkeletonsProps {
  readonly count: number;
  /** Classes of the line beneath. */
  readonly beneath?: string;
}

export const FigureCellSkeletons = ({ count, beneath = '' }: FigureCellSkeletonsProps) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identified by their index alone
    <div key={index} className={figureCell}>
      <div className="flex h-6 items-center">
        <Skeleton className="h-3 w-20" />
      </div>
      <div className="mt-0.5 flex h-6 items-center">
        <Skeleton className="h-4 w-24" />
      </div>
      <div className={`mt-0.5 flex h-5 items-center ${beneath}`}>
        <Skeleton className="h-3 w-28" />
      </div>
    </div>
  ));
