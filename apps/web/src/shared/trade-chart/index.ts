export { TradeChart } from './TradeChart.tsx';
