/** Every kind of figure: up, down, unchanged, unknown, and a live one. */
import { useMemo } from 'react';
import {
  Amount,
  formatPrice,
  LiveFigure,
  type LiveSource,
  Movement,
  Percent,
  Pnl,
  Price,
  Size,
} from '../../shared/numbers/index.ts';
import { Part, Row } from './Specimen.tsx';

const examples = [1234.5, -1234.5, 0, null] as const;
const cents = (value: number | null | undefined): string => formatPrice(value, 0.01);

/** A price that rises and falls once a second. */
function movingSource(): LiveSource {
  let value = 64_000.5;
  return {
    get: () => value,
    subscribe: (changed) => {
      const timer = setInterval(() => {
        value += (Math.round(value) % 2 === 0 ? 1 : -1) * 13.37;
        changed();
      }, 1_000);
      return () => clearInterval(timer);
    },
  };
}

export function Figures() {
  const moving = useMemo(movingSource, []);
  const kinds = {
    Price: (value: number | null) => <Price value={value} tickSize={0.01} />,
    Amount: (value: number | null) => <Amount value={value} unit="USDT" />,
    Movement: (value: number | null) => <Movement value={value} />,
    Pnl: (value: number | null) => <Pnl value={value} unit="USDT" />,
    Percent: (value: number | null) => <Percent value={value} />,
    'Change (0 is up)': (value: number | null) => <Percent value={value} zero="up" />,
    Size: (value: number | null) => <Size value={value} stepSize={0.001} unit="BTC" />,
  } as const;
  return (
    <Part title="Figures">
      <div className="overflow-x-auto">
        <table className="text-13">
          <caption className="sr-only">Figures by kind and value</caption>
          <thead>
            <tr className="text-left text-11 text-text-3">
              {['', 'up', 'down', 'none', 'unknown'].map((direction) => (
                <th key={direction} scope="col" className="pr-8 font-medium">
                  {direction}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(kinds).map(([name, show]) => (
              <tr key={name} className="h-8">
                <th scope="row" className="pr-8 text-left text-12 font-normal text-text-3">
                  {name}
                </th>
                {examples.map((value) => (
                  <td key={`${value}`} className="pr-8">
                    {show(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Row label="moving">
        <LiveFigure source={moving} format={cents} colour="move" className="text-20 font-semibold" />
        <LiveFigure source={moving} format={cents} />
      </Row>
    </Part>
  );
}
