/** The market list beside the trading screen's chart, and the button in the pair bar that toggles it (DASH-10). */
import PanelLeft from 'lucide-react/icons/panel-left';
import { IconButton } from '../../shared/ui/index.ts';
import { MarketList, type PairBarProps } from '../market/index.ts';

interface MarketListButtonProps {
  readonly shown: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

export function MarketListButton({ shown, controls, onToggle }: MarketListButtonProps) {
  return (
    <IconButton
      label={shown ? 'Hide the market list' : 'Show the market list'}
      aria-expanded={shown}
      aria-controls={shown ? controls : undefined}
      onClick={onToggle}
    >
      <PanelLeft size={16} aria-hidden="true" className={shown ? 'text-accent' : ''} />
    </IconButton>
  );
}

export function MarketListPanel({ id, pairs, pair, onSelect }: PairBarProps & { readonly id: string }) {
  return (
    <aside id={id} aria-label="Markets" className="min-w-0 grow bg-surface">
      <div className="sticky top-[calc(var(--impersonation-height)+var(--nav-height))] flex h-[calc(100dvh-var(--impersonation-height)-var(--restricted-height)-var(--nav-height)-52px-24px)] flex-col">
        <MarketList pairs={pairs} selected={pair.symbol} onSelect={onSelect} />
      </div>
    </aside>
  );
}
