export { useInView } from './useInView.ts';
export { useWidget, type WidgetReading } from './useWidget.ts';
export { Widget, WidgetBody } from './Widget.tsx';
