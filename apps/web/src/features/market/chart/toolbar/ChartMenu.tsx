/** The chart's settings; on a narrow chart undo and picture too. */
import Camera from 'lucide-react/icons/camera';
import Settings from 'lucide-react/icons/settings';
import Undo from 'lucide-react/icons/undo-2';
import { Menu, MenuItem, MenuOption, MenuSeparator } from '../../../../shared/ui/index.ts';
import { resetChart } from '../settings/charts-store.ts';
import type { ChartDesk } from '../tools/useChartDesk.ts';
import { savePicture } from './picture.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

interface ChartMenuProps {
  readonly desk: ChartDesk;
  readonly isNarrow: boolean;
}

export function ChartMenu({ desk, isNarrow }: ChartMenuProps) {
  const { settings, change } = desk;
  const { grid, extremes, kind } = settings;
  return (
    <Menu
      label="Chart settings"
      align="end"
      trigger={<ToolbarButton label="Chart settings" icon={<Settings size={15} aria-hidden="true" />} />}
    >
      {isNarrow ? (
        <>
          <MenuItem disabled={!desk.canUndo} onSelect={desk.undo}>
            <Undo size={15} aria-hidden="true" />
            Undo drawing
          </MenuItem>
          <MenuItem onSelect={() => savePicture(desk)}>
            <Camera size={15} aria-hidden="true" />
            Save picture
          </MenuItem>
          <MenuSeparator />
        </>
      ) : null}
      <MenuOption checked={grid} onChange={(checked) => change({ grid: checked })}>
        Grid lines
      </MenuOption>
      {/* Of bars: a line of closes has no highs and lows. */}
      {kind === 'line' || kind === 'area' ? null : (
        <MenuOption checked={extremes} onChange={(checked) => change({ extremes: checked })}>
          Highest and lowest price
        </MenuOption>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => resetChart(desk.symbol)}>Reset to default</MenuItem>
    </Menu>
  );
}
