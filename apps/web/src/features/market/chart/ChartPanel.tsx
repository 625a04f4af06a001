/** The chart's panels: beside the order form, in full screen, and small on the phone. */
import Maximize from 'lucide-react/icons/maximize';
import X from 'lucide-react/icons/x';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState, type WheelEvent } from 'react';
import { Button, useBackCloses } from '../../../shared/ui/index.ts';
import { ChartBoard, type ChartProps, Plot } from './ChartBoard.tsx';
import { useChartSettings } from './settings/charts-store.ts';
import { ToolbarButton } from './toolbar/ToolbarButton.tsx';

/** The full-screen chart (TRADE-23 to TRADE-25). `children` is the element that opens it. */
function ChartOverlay({ children, ...chart }: ChartProps & { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  useBackCloses(open, () => setOpen(false));
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>{children}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fade fixed inset-x-0 top-(--impersonation-height) bottom-0 z-50 flex flex-col bg-surface outline-none"
        >
          <div className="flex h-13 shrink-0 items-center justify-between gap-3 border-b border-line px-4">
            <Dialog.Title className="text-16 font-semibold">{`${chart.pair.symbol} Chart`}</Dialog.Title>
            <Dialog.Close asChild>
              <Button tone="quiet">
                <X size={16} aria-hidden="true" />
                Close
              </Button>
            </Dialog.Close>
          </div>
          <div className="flex min-h-0 grow flex-col pb-[env(safe-area-inset-bottom)]">
            <ChartBoard {...chart} overlay={null} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const variants = {
  /** Takes what the positions leave: 600 px at 1440 × 900, more on a higher screen (TRADE-14); 480 on a medium one. */
  trading: {
    label: 'Chart',
    layout: 'h-[480px] shrink-0 columns:h-auto columns:min-h-0 columns:shrink columns:grow',
    height: 'full',
    rank: 'first',
  },
  /** Two charts share the width. */
  first: { label: 'Chart', layout: 'min-w-0 grow basis-0', height: 'full', rank: 'first' },
  second: { label: 'Second chart', layout: 'min-h-0 min-w-0 grow', height: 'full', rank: 'second' },
  /** Fills its card on a page that scrolls; the chart's own element would capture the wheel. */
  card: { label: 'Chart', layout: 'min-h-0 grow [&_*]:overscroll-auto!', height: 'low', rank: 'first' },
} as const;

/**
 * The wheel scrolls the page, and zooms the chart with Ctrl. Menus and the full screen are the chart's children in
 * React only, so their wheel events are left alone.
 */
function leaveWheelToPage(event: WheelEvent<HTMLElement>): void {
  const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (isWithin && !event.ctrlKey && !event.metaKey) event.stopPropagation();
}

interface ChartPanelProps extends ChartProps {
  readonly variant?: keyof typeof variants;
}

export function ChartPanel({ variant = 'trading', ...chart }: ChartPanelProps) {
  const { label, layout, height, rank } = variants[variant];
  return (
    <section
      aria-label={label}
      onWheelCapture={variant === 'card' ? leaveWheelToPage : undefined}
      className={`flex flex-col bg-surface ${layout}`}
    >
      <ChartBoard
        {...chart}
        height={height}
        rank={rank}
        action={
          rank === 'second' ? null : (
            <ChartOverlay {...chart}>
              <ToolbarButton label="Full-screen chart" icon={<Maximize size={15} aria-hidden="true" />} />
            </ChartOverlay>
          )
        }
      />
    </section>
  );
}

/** The phone's small chart, 132 px high, with the button that opens the full-screen chart. */
export function GlanceChart(chart: ChartProps) {
  const settings = useChartSettings(chart.pair.symbol);
  return (
    <div className="relative h-[132px] short:md:h-[112px]">
      <Plot {...chart} settings={settings} variant="glance" />
      <ChartOverlay {...chart}>
        <button
          type="button"
          // A tap anywhere on the chart.
          className="absolute inset-0 z-10 flex items-start px-3 text-12 font-medium"
        >
          <span className="inline-flex h-6 items-center gap-1.5 rounded-control border border-line-strong bg-surface/90 px-2">
            <Maximize size={12} aria-hidden="true" className="text-text-2" />
            Chart
            <span className="text-text-3">{settings.timeframe}</span>
          </span>
        </button>
      </ChartOverlay>
    </div>
  );
}
