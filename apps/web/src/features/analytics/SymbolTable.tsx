/** The result of each market: the largest first, with a bar that compares it with the others. */
import type { Performance } from '@fulcrum/contract';
import { Pnl } from '../../shared/numbers/index.ts';
import { Table, Td, Th, Tr } from '../../shared/ui/index.ts';

function Bar({ value, largest }: { readonly value: number; readonly largest: number }) {
  const share = largest === 0 ? 0 : Math.abs(value) / largest;
  return (
    <span aria-hidden="true" className="block h-1.5 w-full rounded-full bg-line">
      <span
        className={`block h-full rounded-full ${value < 0 ? 'bg-down' : 'bg-up'}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

interface SymbolTableProps {
  readonly symbols: Performance['by_symbol'];
  readonly others: Performance['others'];
  /** Opens the trades of a symbol. */
  readonly onChoose: (symbol: string) => void;
}

export function SymbolTable({ symbols, others, onChoose }: SymbolTableProps) {
  const largest = Math.max(0, ...symbols.map(({ net_pnl }) => Math.abs(net_pnl)));
  return (
    <Table
      caption="Net result by symbol, the largest first"
      head={
        <>
          <Th>Symbol</Th>
          <Th numeric>Trades</Th>
          <Th numeric>Won</Th>
          <Th className="w-1/4 max-md:hidden">
            <span className="sr-only">Compared</span>
          </Th>
          <Th numeric>Net, USDT</Th>
        </>
      }
    >
      {symbols.map(({ symbol, trades, wins, net_pnl }) => (
        <Tr key={symbol}>
          <Td className="font-medium">
            <button
              type="button"
              aria-label={`Trades in ${symbol}`}
              onClick={() => onChoose(symbol)}
              className="rounded-control py-0.5 hover:text-accent hover:underline max-md:py-3"
            >
              {symbol}
            </button>
          </Td>
          <Td numeric>{trades}</Td>
          <Td numeric>{wins}</Td>
          <Td className="max-md:hidden">
            <Bar value={net_pnl} largest={largest} />
          </Td>
          <Td numeric>
            <Pnl value={net_pnl} />
          </Td>
        </Tr>
      ))}
      {others ? (
        <Tr>
          <Td className="text-text-2">{`${others.symbols} others`}</Td>
          <Td numeric>{others.trades}</Td>
          <Td />
          <Td className="max-md:hidden" />
          <Td numeric>
            <Pnl value={others.net_pnl} />
          </Td>
        </Tr>
      ) : null}
    </Table>
  );
}
