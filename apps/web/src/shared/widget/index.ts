export { restoreFocusOnUnmount } from './restore-focus-on-unmount.ts';
export { useInView } from './useInView.ts';
export { useWidget, type WidgetReading } from './useWidget.ts';
export { StaleBadge, Widget, WidgetBody } from './Widget.tsx';
export { WidgetBoundary } from './WidgetBoundary.tsx';
