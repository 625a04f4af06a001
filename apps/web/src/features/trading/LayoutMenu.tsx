/** The menu of the trading screen's layout in the status bar: its panels, and the way back to the default. */
import LayoutPanel from 'lucide-react/icons/layout-panel-left';
import { applyLayout } from '../../shared/preferences/index.ts';
import { Menu, MenuItem, MenuOption, MenuSeparator } from '../../shared/ui/index.ts';

export interface LayoutPanelChoice {
  readonly name: string;
  readonly isShown: boolean;
  readonly onShow: (shown: boolean) => void;
}

export function LayoutMenu({ panels }: { readonly panels: readonly LayoutPanelChoice[] }) {
  return (
    <Menu
      label="Layout"
      align="end"
      trigger={
        <button
          type="button"
          className="flex h-5 items-center gap-1 rounded-control px-1 font-medium text-text-2 -outline-offset-2 hover:text-text"
        >
          <LayoutPanel size={12} aria-hidden="true" />
          Layout
        </button>
      }
    >
      {panels.map(({ name, isShown, onShow }) => (
        <MenuOption key={name} checked={isShown} onChange={onShow}>
          {name}
        </MenuOption>
      ))}
      {panels.length > 0 ? <MenuSeparator /> : null}
      <MenuItem onSelect={() => applyLayout({})}>Reset layout</MenuItem>
    </Menu>
  );
}
