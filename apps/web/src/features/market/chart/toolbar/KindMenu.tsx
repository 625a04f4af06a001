/** How a bar is drawn. */
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import { Menu, MenuOption } from '../../../../shared/ui/index.ts';
import { barKindNames, barKinds } from '../settings/chart-settings.ts';
import type { ChartDesk } from '../tools/useChartDesk.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

interface KindMenuProps {
  readonly desk: ChartDesk;
  readonly isNarrow: boolean;
}

export function KindMenu({ desk, isNarrow }: KindMenuProps) {
  const { kind: chosen } = desk.settings;
  return (
    <Menu
      label="Kind of bar"
      trigger={
        <ToolbarButton
          label={`Kind of bar: ${barKindNames[chosen]}`}
          icon={<ChartCandlestick size={16} aria-hidden="true" />}
          text={isNarrow ? undefined : barKindNames[chosen]}
        />
      }
    >
      {barKinds.map((kind) => (
        <MenuOption key={kind} checked={kind === chosen} onChange={() => desk.change({ kind })}>
          {barKindNames[kind]}
        </MenuOption>
      ))}
    </Menu>
  );
}
