/** The menu of bar kinds. */
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import { Menu, MenuOption } from '../../../../shared/ui/index.ts';
import { barKindNames, barKinds } from '../settings/chart-settings.ts';
import type { ChartController } from '../tools/useChartController.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

interface KindMenuProps {
  readonly controller: ChartController;
  readonly isNarrow: boolean;
}

export function KindMenu({ controller, isNarrow }: KindMenuProps) {
  const { kind: chosen } = controller.settings;
  return (
    <Menu
      label="Bar style"
      trigger={
        <ToolbarButton
          label={`Bar style: ${barKindNames[chosen]}`}
          icon={<ChartCandlestick size={16} aria-hidden="true" />}
          text={isNarrow ? undefined : barKindNames[chosen]}
        />
      }
    >
      {barKinds.map((kind) => (
        <MenuOption key={kind} checked={kind === chosen} onChange={() => controller.change({ kind })}>
          {barKindNames[kind]}
        </MenuOption>
      ))}
    </Menu>
  );
}
