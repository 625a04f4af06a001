/**
 * The toolbar above a chart. Left: timeframe, kind of bar, studies. Right: chart provider, undo, picture and
 * settings.
 */
import Camera from 'lucide-react/icons/camera';
import PencilRuler from 'lucide-react/icons/pencil-ruler';
import Undo from 'lucide-react/icons/undo-2';
import { type ReactNode, useState } from 'react';
import { Popover, Segmented } from '../../../../shared/ui/index.ts';
import type { ChartProvider } from '../settings/chart-settings.ts';
import { chooseProvider } from '../settings/charts-store.ts';
import { toolNames } from '../tools/drawing.ts';
import { ToolRail } from '../tools/ToolRail.tsx';
import type { ChartController } from '../tools/useChartController.ts';
import { ChartMenu } from './ChartMenu.tsx';
import { KindMenu } from './KindMenu.tsx';
import { StudiesMenu } from './StudiesMenu.tsx';
import { savePicture } from './save-picture.ts';
import { Timeframes } from './Timeframes.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

/** Available room: `wide` shows labels and the rail beside the chart, `slim` has two rows. */
export type ToolbarWidth = 'wide' | 'narrow' | 'slim';

interface ChartToolbarProps {
  readonly controller: ChartController;
  readonly provider: ChartProvider;
  readonly toolbarWidth: ToolbarWidth;
  /** Shown at the right end. */
  readonly action?: ReactNode;
  /** Opens the menu at the newest price. */
  readonly onPriceMenu: () => void;
}

/** The tool rail folded into one button. */
function FoldedRail({ controller }: { readonly controller: ChartController }) {
  const [open, setOpen] = useState(false);
  const label = controller.tool === null ? 'Drawing tools' : `Drawing tools: ${toolNames[controller.tool]}`;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Drawing tools"
      trigger={
        <ToolbarButton
          label={label}
          icon={
            <PencilRuler
              size={16}
              aria-hidden="true"
              className={controller.tool === null ? '' : 'text-accent'}
            />
          }
        />
      }
    >
      <ToolRail controller={controller} direction="row" onChosen={() => setOpen(false)} />
    </Popover>
  );
}

const providers = [
  { value: 'built-in', label: 'Built-in' },
  { value: 'third-party', label: 'TradingView' },
] as const satisfies readonly { value: ChartProvider; label: string }[];

export function ChartToolbar({ controller, provider, toolbarWidth, action, onPriceMenu }: ChartToolbarProps) {
  const isNarrow = toolbarWidth !== 'wide';
  const isSlim = toolbarWidth === 'slim';
  const isOwn = provider === 'built-in';
  const tools = isOwn ? (
    <>
      <KindMenu controller={controller} isNarrow={isNarrow} />
      <StudiesMenu controller={controller} isNarrow={isNarrow} />
      {isNarrow ? <FoldedRail controller={controller} /> : null}
    </>
  ) : null;
  const rest = (
    <>
      <Segmented
        label="Chart by"
        options={providers}
        value={provider}
        onChange={chooseProvider}
        size="compact"
      />
      {isOwn && !isNarrow ? (
        <>
          <ToolbarButton
            label="Undo drawing"
            icon={<Undo size={15} aria-hidden="true" />}
            disabled={!controller.canUndo}
            onClick={controller.undo}
          />
          <ToolbarButton
            label="Save picture"
            icon={<Camera size={15} aria-hidden="true" />}
            onClick={() => savePicture(controller)}
          />
        </>
      ) : null}
      {isOwn ? <ChartMenu controller={controller} isNarrow={isNarrow} onPriceMenu={onPriceMenu} /> : null}
      {action}
    </>
  );
  if (isSlim) {
    return (
      <div className="shrink-0 border-b border-line">
        <div className="px-2 py-1">
          <Timeframes controller={controller} />
        </div>
        <div className="flex items-center gap-1 border-t border-line px-2 py-1">
          {tools}
          <span className="grow" />
          {rest}
        </div>
      </div>
    );
  }
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line pr-2 pl-2">
      <Timeframes controller={controller} />
      {isOwn ? <span aria-hidden="true" className="mx-1 h-4 w-px shrink-0 bg-line" /> : null}
      {tools}
      <span className="grow" />
      {rest}
    </div>
  );
}
