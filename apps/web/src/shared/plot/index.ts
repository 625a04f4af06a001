/**
 * The plots of the app except the market chart: `LineChart`, `BarChart` and `Sparkline`. A feature brings values, texts and an
 * axis; scales, gridlines, labels, the read-out by pointer and keys, and the parts for screen readers are here.
 *
 * Without a library: a linear scale and three kinds of path are 80 lines, while d3-scale and d3-shape weigh 12.8 kB gzip.
 * Known limitation: the landing page has its own candles and sparklines, so that it loads nothing of this folder.
 */

export * from './axes.tsx';
export * from './BarChart.tsx';
export * from './create-axis.ts';
export * from './LineChart.tsx';
export * from './PlotTable.tsx';
export * from './points.ts';
export * from './readout.ts';
export * from './Sparkline.tsx';
export * from './scale.ts';
