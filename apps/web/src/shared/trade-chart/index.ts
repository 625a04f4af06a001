export { type Level, TradeChart } from './TradeChart.tsx';
