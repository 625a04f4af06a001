/** The row over a chart: timeframe, kind of bar, studies at the left; which chart, undo, picture and settings at the right. */
import Camera from 'lucide-react/icons/camera';
import PencilRuler from 'lucide-react/icons/pencil-ruler';
import Undo from 'lucide-react/icons/undo-2';
import { type ReactNode, useState } from 'react';
import { Popover, Segmented } from '../../../../shared/ui/index.ts';
import type { ChartProvider } from '../settings/chart-settings.ts';
import { chooseProvider } from '../settings/charts-store.ts';
import { toolNames } from '../tools/drawing.ts';
import { ToolRail } from '../tools/ToolRail.tsx';
import type { ChartDesk } from '../tools/useChartDesk.ts';
import { ChartMenu } from './ChartMenu.tsx';
import { KindMenu } from './KindMenu.tsx';
import { savePicture } from './picture.ts';
import { StudiesMenu } from './StudiesMenu.tsx';
import { Timeframes } from './Timeframes.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

/** How much room there is: `wide` has words and the rail beside the chart, `slim` has two rows. */
export type Room = 'wide' | 'narrow' | 'slim';

interface ChartToolbarProps {
  readonly desk: ChartDesk;
  readonly provider: ChartProvider;
  readonly room: Room;
  /** Stands at the right end. */
  readonly action?: ReactNode;
}

/** The rail in one button. */
function FoldedRail({ desk }: { readonly desk: ChartDesk }) {
  const [open, setOpen] = useState(false);
  const label = desk.tool === null ? 'Drawing tools' : `Drawing tools: ${toolNames[desk.tool]}`;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Drawing tools"
      trigger={
        <ToolbarButton
          label={label}
          icon={
            <PencilRuler size={16} aria-hidden="true" className={desk.tool === null ? '' : 'text-accent'} />
          }
        />
      }
    >
      <ToolRail desk={desk} direction="row" onChosen={() => setOpen(false)} />
    </Popover>
  );
}

const providers = [
  { value: 'built-in', label: 'Built-in' },
  { value: 'third-party', label: 'TradingView' },
] as const satisfies readonly { value: ChartProvider; label: string }[];

export function ChartToolbar({ desk, provider, room, action }: ChartToolbarProps) {
  const isNarrow = room !== 'wide';
  const isSlim = room === 'slim';
  const isOwn = provider === 'built-in';
  const tools = isOwn ? (
    <>
      <KindMenu desk={desk} isNarrow={isNarrow} />
      <StudiesMenu desk={desk} isNarrow={isNarrow} />
      {isNarrow ? <FoldedRail desk={desk} /> : null}
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
            disabled={!desk.canUndo}
            onClick={desk.undo}
          />
          <ToolbarButton
            label="Save picture"
            icon={<Camera size={15} aria-hidden="true" />}
            onClick={() => savePicture(desk)}
          />
        </>
      ) : null}
      {isOwn ? <ChartMenu desk={desk} isNarrow={isNarrow} /> : null}
      {action}
    </>
  );
  if (isSlim) {
    return (
      <div className="shrink-0 border-b border-line">
        <div className="px-2 py-1">
          <Timeframes desk={desk} />
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
      <Timeframes desk={desk} />
      {isOwn ? <span aria-hidden="true" className="mx-1 h-4 w-px shrink-0 bg-line" /> : null}
      {tools}
      <span className="grow" />
      {rest}
    </div>
  );
}
