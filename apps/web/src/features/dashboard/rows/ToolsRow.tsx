/** The holdings and the calculators (DASH-04). */
import { PnlCalculator, PositionCalculator, RiskCalculator } from '../../calculators/index.ts';
import { HoldingsWidget } from '../holdings/HoldingsWidget.tsx';
import { Cell, cellStyles, rowStyles } from './row-layout.tsx';

export default function ToolsRow() {
  return (
    <div className={rowStyles.tools}>
      <Cell title="Portfolio Holdings" className={cellStyles.tools} Content={HoldingsWidget} />
      <Cell title="P/L Calculator" className={cellStyles.tools} Content={PnlCalculator} />
      <Cell title="Risk Management" className={cellStyles.tools} Content={RiskCalculator} />
      <Cell title="Position Calculator" className={cellStyles.tools} Content={PositionCalculator} />
    </div>
  );
}
