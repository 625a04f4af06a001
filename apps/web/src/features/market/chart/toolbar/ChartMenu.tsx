/** The chart's settings; on a narrow chart also undo and picture. */
import Camera from 'lucide-react/icons/camera';
import Settings from 'lucide-react/icons/settings';
import Undo from 'lucide-react/icons/undo-2';
import { Menu, MenuItem, MenuOption, MenuSeparator } from '../../../../shared/ui/index.ts';
import { resetChart } from '../settings/charts-store.ts';
import type { ChartController } from '../tools/useChartController.ts';
import { savePicture } from './save-picture.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

interface ChartMenuProps {
  readonly controller: ChartController;
  readonly isNarrow: boolean;
  readonly onPriceMenu: () => void;
}

export function ChartMenu({ controller, isNarrow, onPriceMenu }: ChartMenuProps) {
  const { settings, change } = controller;
  const { grid, extremes, kind } = settings;
  return (
    <Menu
      label="Chart settings"
      align="end"
      trigger={<ToolbarButton label="Chart settings" icon={<Settings size={15} aria-hidden="true" />} />}
    >
      <MenuItem onSelect={onPriceMenu}>Trade at or copy a price</MenuItem>
      <MenuSeparator />
      {isNarrow ? (
        <>
          <MenuItem disabled={!controller.canUndo} onSelect={controller.undo}>
            <Undo size={15} aria-hidden="true" />
            Undo drawing
          </MenuItem>
          <MenuItem onSelect={() => savePicture(controller)}>
            <Camera size={15} aria-hidden="true" />
            Save picture
          </MenuItem>
          <MenuSeparator />
        </>
      ) : null}
      <MenuOption checked={grid} onChange={(checked) => change({ grid: checked })}>
        Grid lines
      </MenuOption>
      {/* Applies to bars only: a line of closes has no highs and lows. */}
      {kind === 'line' || kind === 'area' ? null : (
        <MenuOption checked={extremes} onChange={(checked) => change({ extremes: checked })}>
          Highest and lowest price
        </MenuOption>
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => resetChart(controller.symbol)}>Reset to default</MenuItem>
    </Menu>
  );
}
