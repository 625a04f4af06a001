export { TradingPage as default } from './TradingPage.tsx';
