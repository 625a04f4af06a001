export { passFocusOn } from './pass-focus-on.ts';
export { useInView } from './useInView.ts';
export { useWidget, type WidgetReading } from './useWidget.ts';
export { StaleBadge, Widget, WidgetBody } from './Widget.tsx';
export { WidgetBoundary } from './WidgetBoundary.tsx';
