/** Says what the prices are: simulated, or a recorded day that is played back. Real feeds need no word. */
import { Badge } from '../../shared/ui/index.ts';
import { usePriceStream, useSampled } from './prices/usePrices.ts';

const words = { simulated: 'Simulated', replay: 'Recorded day', binance: null, yahoo: null } as const;

export function SourceBadge({ symbol }: { readonly symbol: string }) {
  const stream = usePriceStream();
  const source = useSampled(symbol, () => stream.latest(symbol)?.source ?? null);
  const word = source === null ? null : words[source];
  if (word === null) return null;
  return (
    <span
      title={
        source === 'replay' ? 'Prices of a recorded market day, played back' : 'Prices are made by a model'
      }
    >
      <Badge tone="warn">{word}</Badge>
    </span>
  );
}
