import Star from 'lucide-react/icons/star';
import { IconButton } from '../../../shared/ui/index.ts';
import { isFavorite, useFavorites } from './favorites.ts';
import { useToggleFavorite } from './useFavorite.ts';

export function StarIcon({ starred, size }: { readonly starred: boolean; readonly size: number }) {
  return (
    <Star
      size={size}
      aria-hidden="true"
      className={starred ? 'fill-star text-star' : 'text-text-3'}
      strokeWidth={1.75}
    />
  );
}

/** The star toggle of the selected pair (TRADE-08). */
export function FavoriteStar({ symbol }: { readonly symbol: string }) {
  const { symbols } = useFavorites();
  const toggle = useToggleFavorite();
  const starred = isFavorite(symbols, symbol);
  return (
    <IconButton
      label={starred ? `Remove ${symbol} from favorites` : `Add ${symbol} to favorites`}
      aria-pressed={starred}
      onClick={() => toggle(symbol)}
    >
      <StarIcon starred={starred} size={17} />
    </IconButton>
  );
}
