/** DASH-04: what is held, and what an order would do. */
import { PnlCalculator, PositionCalculator, RiskCalculator } from '../../calculators/index.ts';
import { HoldingsWidget } from '../holdings/HoldingsWidget.tsx';
import { Cell, cellLooks, rowLooks } from './places.tsx';

export default function ToolsRow() {
  return (
    <div className={rowLooks.tools}>
      <Cell title="Portfolio Holdings" look={cellLooks.tools}>
        <HoldingsWidget />
      </Cell>
      <Cell title="P/L Calculator" look={cellLooks.tools}>
        <PnlCalculator />
      </Cell>
      <Cell title="Risk Management" look={cellLooks.tools}>
        <RiskCalculator />
      </Cell>
      <Cell title="Position Calculator" look={cellLooks.tools}>
        <PositionCalculator />
      </Cell>
    </div>
  );
}
